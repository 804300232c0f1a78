// Wikigold: a memory of the document, read twice.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_2
