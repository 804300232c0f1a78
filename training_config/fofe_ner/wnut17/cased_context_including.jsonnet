// WNUT-17, Table 5.1, row 4: case-sensitive contexts with the span.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').cased_context_including
