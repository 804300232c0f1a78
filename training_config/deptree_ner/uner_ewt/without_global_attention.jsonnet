// UNER-EWT: the full model without its global attention.
// Measured: test f1 80.5 ± 0.5, 3 seeds, 7 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_global
