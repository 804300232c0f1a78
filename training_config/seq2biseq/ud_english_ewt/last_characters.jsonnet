// English Web Treebank: as seq2biseq_le.jsonnet, with the last states of the GRU over characters in place of the sum of
// all.
// Measured: not trained.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').last_characters
