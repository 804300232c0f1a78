// SNIPS: both decoders, with lexical information.
// Measured: test f1 93.8, 1 seed, 15 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq_le
