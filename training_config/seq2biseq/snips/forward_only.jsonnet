// SNIPS: the left-to-right decoder alone, with lexical information.
// Measured: test f1 92.9, 1 seed, 13 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').forward_only
