// GermEval 2014, nested: all features of words and of characters.
// Measured: test f1 65.8, 1 seed, 41 minutes.
(import '../free_data.libsonnet').germeval + (import '../rows.libsonnet').all
