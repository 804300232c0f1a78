// Wikigold: all features of words and of characters.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').all
