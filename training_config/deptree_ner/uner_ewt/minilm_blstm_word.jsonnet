// UNER-EWT: one BiLSTM layer without the features, over MiniLM: without anything of trees.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').blstm_word
