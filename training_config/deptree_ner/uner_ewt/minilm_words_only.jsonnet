// UNER-EWT: the full model without the features, over MiniLM.
// Measured: predicted_trees f1 75.3 ± 0.9, 2 seeds, 28 minutes.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').words_only
