// Wikigold: all features, with the vectors of the file tuned.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').tuned
