// GUM: the full model without part-of-speech and dependency features.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').words_only
