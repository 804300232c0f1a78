// SNIPS: a control for two_optimizers.jsonnet, whose losses have total weights of 0.5 for the forward decoder and 1.5
// for the backward decoder: one optimiser on their sum.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').one_optimizer_weighted
