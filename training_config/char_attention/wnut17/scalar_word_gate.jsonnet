// WNUT-17, entities of six types in tweets and comments: attention with one weight for a word, which the word alone
// decides, and no auxiliary loss.
// Measured: test f1 33.5, 1 seed, 38 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').scalar_word_gate
