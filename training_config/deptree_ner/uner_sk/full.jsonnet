// UNER, Slovak: both stacks, both attentions, part-of-speech and dependency features.
// Measured: test f1 70.0 ± 3.2, 3 seeds, 9 minutes.
(import '../free_data.libsonnet').uner_sk + (import '../rows.libsonnet').tlstm_blstm_ra_ga
