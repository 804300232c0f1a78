// GUM: the full model with two layers in each stack, as many as in the paper.
// Measured: development_predicted_trees f1 53.4, 1 seed, 26 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').stacked
