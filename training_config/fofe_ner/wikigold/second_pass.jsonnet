// The second pass on Wikigold, which has no split: docs/results/fofe_ner.md divides its documents into three files.
// Measured: not trained.
(import '../second_pass.libsonnet')((import '../free_data.libsonnet').wikigold)
