// Wikigold: a memory of the sentence alone.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').sentence_memory
