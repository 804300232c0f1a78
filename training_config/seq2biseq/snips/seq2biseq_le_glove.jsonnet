// SNIPS: as seq2biseq_le.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
// Measured: test f1 92.8, 1 seed, 12 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').seq2biseq_le_glove
