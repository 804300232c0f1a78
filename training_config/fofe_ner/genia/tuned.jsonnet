// GENIA, nested: all features, with the vectors of the file tuned.
// Measured: not trained.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').tuned
