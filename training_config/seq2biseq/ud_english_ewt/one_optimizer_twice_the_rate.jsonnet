// English Web Treebank: a control for two_optimizers.jsonnet, which takes two steps per batch: one optimiser at twice
// the rate.
(import 'base.libsonnet') { optimizer+:: { lr: 2 * super.lr } }
