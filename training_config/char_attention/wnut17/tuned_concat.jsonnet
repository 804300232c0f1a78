// WNUT-17, entities of six types in tweets and comments: words and characters concatenated, with vectors of words that
// are tuned.
// Measured: test f1 22.5 ± 0.9, 5 seeds, 16 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned_concat
