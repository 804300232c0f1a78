// English Web Treebank: as seq2biseq_le.jsonnet, with an optimiser for each loss.
(import 'base.libsonnet') { two_optimizers:: true }
