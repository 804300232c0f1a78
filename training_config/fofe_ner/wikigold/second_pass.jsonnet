// The second pass on Wikigold, which has no split: docs/results/fofe_ner.md trains it on three files.
// Measured: not trained.
(import '../second_pass.libsonnet')((import '../free_data.libsonnet').wikigold)
