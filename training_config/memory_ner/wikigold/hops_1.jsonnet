// Wikigold: a memory of the document, read once, as in the paper.
// Measured: folds f1 70.0, 1 seed, 4 minutes.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_1
