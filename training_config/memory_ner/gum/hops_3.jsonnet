// GUM: a memory of the document, read three times.
// Measured: test f1 45.0, 1 seed, 12 minutes.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_3
