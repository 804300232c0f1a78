// Wikigold: a memory of the document, read once, as in the paper.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_1
