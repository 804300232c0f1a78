// The recipe of ner.jsonnet with and without MiniLM on UNER-EWT: docs/results/ner.md. A run takes 30 minutes of a core.
(import '../ner_table.libsonnet')('uner_ewt', ['recipe', 'batches_of_32', 'bfloat16', 'minilm_beside', 'distilled']) {
  rows+: { batches_of_32+: { seeds: 1 }, bfloat16+: { seeds: 1 } },
  seeds: 3,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'uner_ewt/test.conllu.gz' } },
}
