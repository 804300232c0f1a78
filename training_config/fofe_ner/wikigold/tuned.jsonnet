// Wikigold: all features, vectors of the file tuned with the task.
(import 'base.libsonnet') + (import '../rows.libsonnet').tuned
