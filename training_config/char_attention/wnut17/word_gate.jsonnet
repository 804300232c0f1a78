// WNUT-17, entities of six types in tweets and comments: attention whose weights the word alone decides, not its
// characters.
// Measured: test f1 32.9, 1 seed, 9 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word_gate
