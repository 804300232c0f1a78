// GUM: one Tree-LSTM layer with the same features.
(import 'base.libsonnet') + (import '../rows.libsonnet').tlstm_word_pos_dep
