// MEMNET with the best epoch chosen on a validation fold; the paper takes the last epoch.
(import 'memnet.jsonnet') + (import '../validated.libsonnet')
