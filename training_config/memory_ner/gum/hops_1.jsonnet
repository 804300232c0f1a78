// GUM: a memory of the document, read once, as in the paper.
// Measured: test f1 45.2, 1 seed, 59 minutes.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_1
