// Dependency-aware NER on UNER-EWT, whether trees help names: docs/results/deptree_ner.md. The parser is that of the
// zoo's en-trees, which was trained on the training data.
{
  config: 'training_config/deptree_ner/uner_ewt/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: [
    'full',
    'without_tree_lstm',
    'without_relative_attention',
    'without_global_attention',
    'stacked',
    'plain_bilstm',
    'bilstm_as_large',
  ],
  seeds: 5,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: {
    test: { data: 'uner_ewt/test.conllu.gz' },
    predicted_trees: {
      data: 'uner_ewt/test.conllu.gz',
      overrides: {
        'dataset_reader.predicted_trees': true,
        'dataset_reader.parser': { pipeline: 'zoo/en-trees/parser' },
      },
    },
  },
  metric: 'f1',
  reference: 'plain_bilstm',
}
