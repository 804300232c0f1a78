// WNUT-17: all features of words and of characters, and lexical features of words (our addition).
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').lexical
