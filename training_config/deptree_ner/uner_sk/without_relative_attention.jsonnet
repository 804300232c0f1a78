// UNER, Slovak: the full model without its relative attention.
// Measured: not trained.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').no_relative
