// Wikigold: all features of words and of characters, and lexical features of words (our addition).
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').lexical
