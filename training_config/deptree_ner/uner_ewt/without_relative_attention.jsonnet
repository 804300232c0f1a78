// UNER-EWT: the full model without its relative attention.
// Measured: predicted_trees f1 76.4 ± 0.3, 3 seeds, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_relative
