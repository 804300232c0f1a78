// UNER-EWT: the full model without its relative attention.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_relative
