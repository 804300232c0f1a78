// GUM: a memory of the sentence alone.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').sentence_memory
