// SNIPS: as seq2biseq_le.jsonnet, with an optimiser for each loss.
// Expected: F1 92.33 ± 0.67, concept error rate 5.75 ± 0.50 on test, three seeds.
(import 'base.libsonnet') { two_optimizers:: true }
