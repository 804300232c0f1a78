// UNER-EWT: the full model with two layers in each stack, as many as in the paper.
// Measured: predicted_trees f1 76.4, 1 seed, 15 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').stacked
