// LitBank: a BiLSTM-CRF whose outputs have the size of the memory's, 200.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').bilstm_crf_as_wide
