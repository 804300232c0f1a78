// SNIPS: both decoders, with lexical information.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq_le
