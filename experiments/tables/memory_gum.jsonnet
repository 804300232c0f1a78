// Documents of GUM: docs/results/memory_ner.md.
{
  config: 'training_config/memory_ner/gum/%s.jsonnet',
  rows: {
    bilstm_crf: {},
    bilstm_crf_as_wide: {},
    sentence_memory: { seeds: 1 },
    sentence_hops_0: {},
    hops_0: { seeds: 1 },
    hops_1: {},
    hops_2: { seeds: 1 },
    hops_3: { seeds: 1 },
  },
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'gum/test.conllu.gz' } },
  metric: 'f1',
  by_document: true,
  reference: 'bilstm_crf',
}
