// UNER-EWT: the full model without its relative attention.
// Measured: predicted_trees f1 76.7, 1 seed, 7 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_relative
