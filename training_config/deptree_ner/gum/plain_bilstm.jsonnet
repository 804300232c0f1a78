// GUM: the paper's baseline, one BiLSTM layer with the same features.
// Measured: development_predicted_trees f1 56.1, 1 seed, 8 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').blstm_word_pos_dep
