// Wikigold: a memory of the sentence alone.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').sentence_memory
