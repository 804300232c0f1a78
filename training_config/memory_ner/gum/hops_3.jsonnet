// GUM: a memory of the document, read three times.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_3
