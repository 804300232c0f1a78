// Dependency-aware NER on GUM: docs/results/deptree_attention.md. The parser is the one that the page trains.
local predicted(part, pos) = {
  data: 'gum/%s.conllu.gz' % part,
  predict: false,
  overrides: {
    'dataset_reader.predicted_trees': true,
    [if pos then 'dataset_reader.predicted_pos']: true,
    'dataset_reader.parser': { pipeline: 'output/parser/model-best' },
  },
};

local rows = [
  'full',
  'plain_bilstm',
  'crf_tagger_features',
  'bilstm',
  'tree_lstm',
  'words_only',
  'crf_tagger',
  'no_residual',
  'no_relative',
  'no_global',
  'stacked',
];

{
  config: 'training_config/deptree_ner/gum/%s.jsonnet',
  rows: {
    [row]: {
      // The loss of allennlp-models' tagger is that of a batch.
      [if std.startsWith(row, 'crf_tagger') then 'sentences_per_loss']: 10,
    }
    for row in rows
  },
  order: rows,
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: {
    test: { data: 'gum/test.conllu.gz' },
    // Table 5 of the paper is of development parts.
    development_predicted_trees: predicted('dev', false),
    predicted_trees: predicted('test', false),
    predicted_trees_and_pos: predicted('test', true),
  },
  metric: 'f1',
  curves: [5, 10, 20, 30],
  reference: 'plain_bilstm',
}
