// WNUT-17, Table 5.1, row 9: all case-insensitive features.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').uncased
