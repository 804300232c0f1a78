// Wikigold: the baseline, a BiLSTM over each sentence and a CRF, with a CNN over the characters of words.
(import '../free_data.libsonnet').wikigold_characters + (import '../rows.libsonnet').bilstm_crf_as_large
