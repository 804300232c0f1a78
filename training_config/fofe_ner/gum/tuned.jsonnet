// GUM, nested: all features, with the vectors of the file tuned.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tuned
