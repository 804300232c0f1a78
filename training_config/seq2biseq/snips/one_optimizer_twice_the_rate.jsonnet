// SNIPS: a control for two_optimizers.jsonnet, which takes two steps per batch: one optimiser at twice the rate.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').one_optimizer_twice_the_rate
