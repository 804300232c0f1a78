// WNUT-17, entities of six types in tweets and comments: words alone, with vectors that are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned_word
