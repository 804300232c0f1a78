// GermEval 2014, nested: all features of words and of characters.
(import '../free_data.libsonnet').germeval + (import '../rows.libsonnet').all
