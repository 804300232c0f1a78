// UNER, Slovak: both stacks, both attentions, part-of-speech and dependency features.
// Measured: test f1 73.5, 1 seed, 4 minutes.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').tlstm_blstm_ra_ga
