// GermEval 2014, nested: all features of words and of characters, and lexical features of words (our addition).
// Measured: not trained.
(import '../free_data.libsonnet').germeval + (import '../rows.libsonnet').lexical
