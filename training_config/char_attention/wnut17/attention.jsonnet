// WNUT-17, entities of six types in tweets and comments: attention to words and characters.
// Measured: test f1 34.1, 1 seed, 12 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').attention
