// UNER-EWT: the full model without its global attention.
// Measured: predicted_trees f1 75.6 ± 1.0, 3 seeds, 7 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_global
