// GUM: both stacks, both attentions, part-of-speech and dependency features.
// Measured: development_predicted_trees f1 53.5, 1 seed, 19 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tlstm_blstm_ra_ga
