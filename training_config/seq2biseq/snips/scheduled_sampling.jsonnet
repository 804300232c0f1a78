// SNIPS: as seq2biseq_le.jsonnet, but the backward decoder also reads its own labels in training (Bengio et al., 2015):
// from none in the first epoch to all in the last. Not from the paper.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').scheduled_sampling
