// WNUT-17, Table 5.1, row 14: all features of words and of characters.
// Measured: test f1 28.6, 1 seed, 6 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').all
