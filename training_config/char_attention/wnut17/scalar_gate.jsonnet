// WNUT-17, entities of six types in tweets and comments: attention with one weight for a word, not one for each
// feature.
// Measured: test f1 30.2, 1 seed, 10 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').scalar_gate
