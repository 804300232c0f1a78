// Re-DocRED: a memory of the sentence alone.
// Measured: not trained.
(import '../free_data.libsonnet').redocred + (import '../rows.libsonnet').sentence_memory
