// UNER, Slovak: the paper's baseline, one BiLSTM layer with the same features.
// Measured: test f1 71.2 ± 0.7, 3 seeds, 1 minute.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').blstm_word_pos_dep
