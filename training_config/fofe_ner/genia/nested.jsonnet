// GENIA, nested: all features of words and of characters.
// Measured: test f1 71.3, 1 seed, 48 minutes.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').all
