// LitBank: a memory of the document, read three times.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').hops_3
