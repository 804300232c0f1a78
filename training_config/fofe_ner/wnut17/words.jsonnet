// WNUT-17, Table 5.1, row 11: all features of words.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').words
