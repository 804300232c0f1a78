// GUM: both stacks, both attentions, part-of-speech and dependency features.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tlstm_blstm_ra_ga
