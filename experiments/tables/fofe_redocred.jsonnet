// FOFE-NER on Re-DocRED: docs/results/fofe_ner.md.
// F1 of all rows is over all mentions, also over the 0.2 % inside others, which none of them finds.
(import 'fofe_wnut17.jsonnet') {
  config: 'training_config/fofe_ner/redocred/%s.jsonnet',
  order: ['all', 'encoded', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: {
    test: { data: 'redocred/test.jsonl.gz' },
    test_tuned: { data: 'redocred/test.jsonl.gz', thresholds: 'redocred/dev.jsonl.gz' },
  },
  columns: ['f1'],
  gold: 'all',
}
