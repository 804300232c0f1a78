// UNER-EWT: the full model without its relative attention.
// Measured: test f1 81.3 ± 0.4, 3 seeds, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').no_relative
