// GUM: the full model without part-of-speech and dependency features.
// Measured: development_predicted_trees f1 46.2, 1 seed, 20 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').words_only
