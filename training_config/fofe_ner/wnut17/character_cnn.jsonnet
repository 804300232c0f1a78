// WNUT-17, Table 5.1, row 8: a CNN over the span's characters.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').character_cnn
