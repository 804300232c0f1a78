// WNUT-17, entities of six types in tweets and comments: attention to words and characters.
// Measured: test f1 33.1, 1 seed, 10 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').attention
