// Re-DocRED: the baseline, a BiLSTM over each sentence and a CRF.
// Measured: not trained.
(import '../free_data.libsonnet').redocred + (import '../rows.libsonnet').bilstm_crf_as_large
