// WNUT-17: all features, with the vectors of the file tuned.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned
