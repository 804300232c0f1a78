// UNER-EWT: the paper's baseline, one BiLSTM layer with the same features, over MiniLM.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').blstm_word_pos_dep
