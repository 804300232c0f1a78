// UNER-EWT: both stacks, both attentions, part-of-speech and dependency features, over MiniLM.
// Measured: predicted_trees f1 77.0 ± 1.1, 3 seeds, 33 minutes.
(import '../free_data.libsonnet').uner_ewt_minilm + (import '../rows.libsonnet').tlstm_blstm_ra_ga
