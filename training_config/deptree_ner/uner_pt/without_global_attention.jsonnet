// UNER, Portuguese: the full model without its global attention.
// Measured: not trained.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').no_global
