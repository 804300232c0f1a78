// Wikigold: a memory of the document, read twice.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_2
