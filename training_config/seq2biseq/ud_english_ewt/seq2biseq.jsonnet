// English Web Treebank: both decoders, without lexical information.
// Measured: not trained.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').seq2biseq
