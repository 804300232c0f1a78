// WNUT-17, Table 5.1, row 1: case-insensitive contexts with the span.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').uncased_context_including
