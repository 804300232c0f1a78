// WNUT-17, entities of six types in tweets and comments: words alone.
// Measured: test f1 31.3, 1 seed, 10 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word
