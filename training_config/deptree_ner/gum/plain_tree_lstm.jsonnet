// GUM: one Tree-LSTM layer with the same features.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').tlstm_word_pos_dep
