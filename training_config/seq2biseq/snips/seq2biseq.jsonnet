// SNIPS: both decoders, without lexical information.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq
