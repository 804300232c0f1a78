// WNUT-17, entities of six types in tweets and comments: words alone.
// Measured: test f1 30.5, 1 seed, 3 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word
