// SNIPS: the left-to-right decoder alone, with lexical information.
// Measured: test f1 93.0, 1 seed, 10 minutes.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').forward_only
