// GUM: the paper's baseline, one BiLSTM layer with the same features.
(import 'base.libsonnet') + (import '../rows.libsonnet').blstm_word_pos_dep
