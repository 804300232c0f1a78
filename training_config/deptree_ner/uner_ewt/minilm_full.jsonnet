// UNER-EWT: both stacks, both attentions, part-of-speech and dependency features, over MiniLM.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').tlstm_blstm_ra_ga
