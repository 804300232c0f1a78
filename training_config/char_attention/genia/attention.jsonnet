// GENIA, parts of speech in abstracts: attention to words and characters.
// Measured: test accuracy 98.6, 1 seed, 12 minutes.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').attention
