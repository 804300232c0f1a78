// Wikigold: all features, with the vectors of the file tuned.
(import 'base.libsonnet') + (import '../rows.libsonnet').tuned
