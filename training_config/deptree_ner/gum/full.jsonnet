// GUM: both stacks, both attentions, part-of-speech and dependency features.
(import 'base.libsonnet') + (import '../rows.libsonnet').tlstm_blstm_ra_ga
