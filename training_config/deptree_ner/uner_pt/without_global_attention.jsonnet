// UNER, Portuguese: the full model without its global attention.
// Measured: test f1 79.3 ± 0.4, 3 seeds, 5 minutes.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').no_global
