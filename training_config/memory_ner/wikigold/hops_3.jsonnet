// Wikigold: a memory of the document, read three times.
// Measured: folds f1 65.9, 1 seed, 2 minutes.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_3
