// WNUT-17, entities of six types in tweets and comments: attention without the auxiliary loss.
// Measured: test f1 31.9, 1 seed, 12 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').no_auxiliary
