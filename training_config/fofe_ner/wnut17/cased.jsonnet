// WNUT-17, Table 5.1, row 10: all case-sensitive features.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').cased
