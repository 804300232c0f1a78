// GUM: one Tree-LSTM layer with the same features.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tlstm_word_pos_dep
