// UNER, Portuguese: the paper's baseline, one BiLSTM layer with the same features.
// Measured: not trained.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').blstm_word_pos_dep
