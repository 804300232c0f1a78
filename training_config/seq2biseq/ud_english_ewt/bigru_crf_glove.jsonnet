// English Web Treebank: as bigru_crf.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
// Measured: test accuracy 92.0, 1 seed, 13 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').bigru_crf_glove
