// UNER, Slovak: the full model without its relative attention.
// Measured: test f1 71.0 ± 1.0, 3 seeds, 2 minutes.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').no_relative
