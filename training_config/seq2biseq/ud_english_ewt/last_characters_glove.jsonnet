// English Web Treebank: as last_characters.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
// Measured: test accuracy 93.4, 1 seed, 7 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').last_characters_glove
