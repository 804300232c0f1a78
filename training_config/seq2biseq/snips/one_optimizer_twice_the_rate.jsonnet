// SNIPS: a control for two_optimizers.jsonnet, whose parameters make two steps for each batch: one
// optimiser at twice the rate.
(import 'base.libsonnet') { optimizer+:: { lr: 2 * super.lr } }
