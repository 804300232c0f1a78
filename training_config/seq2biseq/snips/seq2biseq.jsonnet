// SNIPS: both decoders, without lexical information.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq
