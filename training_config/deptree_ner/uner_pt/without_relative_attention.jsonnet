// UNER, Portuguese: the full model without its relative attention.
// Measured: test f1 80.1 ± 0.5, 3 seeds, 3 minutes.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').no_relative
