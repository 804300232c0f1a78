// Wikigold: all features of words and of characters.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').all
