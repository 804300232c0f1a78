// UNER-EWT: the full model without the features, over MiniLM.
// Measured: predicted_trees f1 74.7, 1 seed, 20 minutes.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').words_only
