// WNUT-17, Table 5.1, row 7: FOFE codes of the span's characters.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').fofe_characters
