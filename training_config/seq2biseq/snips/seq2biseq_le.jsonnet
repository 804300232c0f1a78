// SNIPS: both decoders, with lexical information.
// Measured: test f1 93.5, 1 seed, 14 minutes.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq_le
