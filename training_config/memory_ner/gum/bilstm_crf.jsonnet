// GUM: the baseline, a BiLSTM over each sentence and a CRF.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').bilstm_crf_as_large
