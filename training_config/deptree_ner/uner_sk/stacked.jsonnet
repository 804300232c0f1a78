// UNER, Slovak: the full model with two layers in each stack, as many as in the paper.
// Measured: not trained.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').stacked
