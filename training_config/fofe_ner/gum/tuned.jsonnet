// GUM, nested: all features, with the vectors of the file tuned.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').tuned
