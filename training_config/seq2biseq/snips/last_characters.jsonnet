// SNIPS: as seq2biseq_le.jsonnet, with the last states of the GRU over characters in place of the sum of all.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').last_characters
