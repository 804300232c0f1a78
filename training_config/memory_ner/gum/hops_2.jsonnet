// GUM: a memory of the document, read twice.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_2
