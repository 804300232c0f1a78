// SNIPS: as seq2biseq_le.jsonnet, with an optimiser for each loss.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').two_optimizers
