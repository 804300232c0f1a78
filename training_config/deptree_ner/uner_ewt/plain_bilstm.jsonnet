// UNER-EWT: the paper's baseline, one BiLSTM layer with the same features.
// Measured: predicted_trees f1 79.3 ± 0.4, 3 seeds, 7 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').blstm_word_pos_dep
