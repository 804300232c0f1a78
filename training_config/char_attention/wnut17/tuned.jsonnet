// WNUT-17, entities of six types in tweets and comments: attention, with vectors of words that are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned
