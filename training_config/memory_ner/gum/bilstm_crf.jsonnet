// GUM: the baseline, a BiLSTM over each sentence and a CRF.
// Measured: test f1 42.3, 1 seed, 24 minutes.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').bilstm_crf_as_large
