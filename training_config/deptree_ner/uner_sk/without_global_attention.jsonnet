// UNER, Slovak: the full model without its global attention.
// Measured: test f1 68.4 ± 2.9, 3 seeds, 3 minutes.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').no_global
