// GUM: a memory of the sentence alone.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').sentence_memory
