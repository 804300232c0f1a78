// Wikigold: the baseline, a BiLSTM over each sentence and a CRF, with a CNN over the characters of words.
// Measured: folds f1 70.0, 1 seed, 1 minute, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').wikigold_characters + (import '../rows.libsonnet').bilstm_crf_as_large
