// UNER-EWT: the full model without the features, over MiniLM.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').words_only
