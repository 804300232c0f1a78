// WNUT-17, Table 5.1, row 14: all features of words and of characters.
// Measured: test f1 30.7, 1 seed, 7 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').all
