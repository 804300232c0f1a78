// English Web Treebank: as seq2biseq_le.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the
// paper.
// Measured: test accuracy 91.4, 1 seed, 14 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').seq2biseq_le_glove
