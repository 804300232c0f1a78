// SNIPS: as bigru_crf.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
// Measured: test f1 93.9, 1 seed, 14 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').bigru_crf_glove
