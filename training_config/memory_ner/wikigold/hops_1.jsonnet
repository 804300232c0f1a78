// Wikigold: a memory of the document, read once, as in the paper.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_1
