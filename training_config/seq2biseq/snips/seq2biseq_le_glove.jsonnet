// SNIPS: as seq2biseq_le.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq_le_glove
