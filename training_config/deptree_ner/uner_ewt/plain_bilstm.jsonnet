// UNER-EWT: the paper's baseline, one BiLSTM layer with the same features.
// Measured: test f1 81.0 ± 0.2, 5 seeds, 7 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').blstm_word_pos_dep
