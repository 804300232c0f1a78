// SNIPS: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
// Measured: test f1 92.8, 1 seed, 15 minutes.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').bigru_crf
