// English Web Treebank: as seq2biseq_le.jsonnet, with an optimiser for each loss.
// Measured: not trained.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').two_optimizers
