// Documents of Wikigold: docs/results/memory_ner.md.
{
  config: 'training_config/memory_ner/wikigold/%s.jsonnet',
  rows: { [row]: {} for row in ['bilstm_crf', 'sentence_memory', 'hops_0', 'hops_1', 'hops_2', 'hops_3'] },
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  folds: 5,
  metric: 'f1',
  reference: 'bilstm_crf',
}
