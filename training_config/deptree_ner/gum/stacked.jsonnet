// GUM: the full model with two layers in each stack, as many as in the paper.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').stacked
