// English Web Treebank: as seq2biseq_le.jsonnet, with an optimiser for each loss.
// Expected: accuracy 92.95 and 92.72 on test with seeds 1 and 2.
(import 'base.libsonnet') { two_optimizers:: true }
