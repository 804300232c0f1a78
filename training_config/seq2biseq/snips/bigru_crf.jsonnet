// SNIPS: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
// Measured: test f1 93.4, 1 seed, 17 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').bigru_crf
