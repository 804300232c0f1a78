// UNER, Portuguese: both stacks, both attentions, part-of-speech and dependency features.
// Measured: not trained.
(import '../free_data.libsonnet').uner_pt + (import '../rows.libsonnet').tlstm_blstm_ra_ga
