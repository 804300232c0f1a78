// WNUT-17: all features, with the vectors of the file tuned.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').tuned
