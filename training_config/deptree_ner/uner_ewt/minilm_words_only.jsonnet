// UNER-EWT: the full model without the features, over MiniLM.
// Measured: test f1 77.4 ± 0.2, 2 seeds, 28 minutes.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').words_only
