// LitBank: a memory of the sentence alone.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').sentence_memory
