// The recipe of ner.jsonnet with and without MiniLM on UNER-EWT: docs/results/ner.md. A run takes 30 minutes of a core.
local order = ['recipe', 'batches_of_32', 'bfloat16', 'minilm_beside', 'mpnet_beside', 'distilled'];

(import '../ner_table.libsonnet')('uner_ewt', order) {
  rows+: { batches_of_32+: { seeds: 1 }, bfloat16+: { seeds: 1 } },
  seeds: 3,
  environment+: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'uner_ewt/test.conllu.gz' } },
}
