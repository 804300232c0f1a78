// LitBank: a memory of the document, read twice.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').hops_2
