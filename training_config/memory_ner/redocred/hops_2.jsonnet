// Re-DocRED: a memory of the document, read twice.
// Measured: not trained.
(import '../free_data.libsonnet').redocred + (import '../rows.libsonnet').hops_2
