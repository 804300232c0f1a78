// WNUT-17, entities of six types in tweets and comments: words and characters concatenated, with vectors of words that
// are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned_concat
