// Wikigold: all features of words and of characters, and lexical features of words (our addition).
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').lexical
