// SNIPS: a control for two_optimizers.jsonnet, whose losses have 0.5 of the forward decoder's and 1.5
// of the backward decoder's: one optimiser on their sum.
(import 'base.libsonnet') { backward_weight:: 1.5 }
