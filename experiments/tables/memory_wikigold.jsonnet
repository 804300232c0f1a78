// Documents of Wikigold: docs/results/memory_ner.md.
{
  config: 'training_config/memory_ner/wikigold/%s.jsonnet',
  rows: {
    bilstm_crf: {},
    bilstm_crf_as_wide: {},
    sentence_memory: { seeds: 1 },
    sentence_hops_0: {},
    hops_0: { seeds: 1 },
    hops_1: {},
    hops_2: { seeds: 1 },
    hops_3: { seeds: 1 },
    // Not the paper's: characters, for both alike.
    bilstm_crf_characters: { seeds: 1 },
    hops_1_characters: { seeds: 1 },
  },
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  folds: 5,
  metric: 'f1',
  by_document: true,
  reference: 'bilstm_crf',
}
