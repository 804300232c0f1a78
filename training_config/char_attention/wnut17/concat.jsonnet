// WNUT-17, entities of six types in tweets and comments: words and characters concatenated.
// Measured: test f1 32.7, 1 seed, 10 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').concat
