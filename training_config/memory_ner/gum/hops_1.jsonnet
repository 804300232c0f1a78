// GUM: a memory of the document, read once, as in the paper.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_1
