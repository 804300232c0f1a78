// WNUT-17, entities of six types in tweets and comments: attention whose weights the word alone decides, not its
// characters.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word_gate
