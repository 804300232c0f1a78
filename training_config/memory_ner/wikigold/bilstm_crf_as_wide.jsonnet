// Wikigold: a BiLSTM-CRF whose outputs have the size of the memory's, 100.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').bilstm_crf_as_wide { hidden_size:: 50 }
