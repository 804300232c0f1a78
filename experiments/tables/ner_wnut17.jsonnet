// The recipe of ner.jsonnet, and what it would be otherwise: docs/results/ner.md. A run takes 10 minutes of a core.
local order = [
  'recipe',
  'adam',
  'tuned_vectors',
  'batches_of_32',
  'bfloat16',
  'minilm',
  'minilm_beside',
  'mpnet_beside',
  'minilm_tuned',
  'mpnet_tuned',
  'distilled',
  'distilled_mpnet',
  'distilled_mpnet_tuned',
  'distilled_recipe',
];

(import '../ner_table.libsonnet')('wnut17', order) {
  rows+: {
    adam+: { seeds: 1 },
    tuned_vectors+: { seeds: 1 },
    batches_of_32+: { seeds: 1 },
    bfloat16+: { seeds: 1 },
  } + {
    // The texts that were labelled have words that no corpus has.
    [row]+: { environment+: { WORD_VECTORS: 'output/glove.100d.txt' } }
    for row in order
    if std.startsWith(row, 'distilled')
  },
  seeds: 3,
  evaluations: { test: { data: 'wnut17/emerging.test.annotated' } },
}
