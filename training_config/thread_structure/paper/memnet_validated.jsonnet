// MEMNET with the best epoch chosen on a validation fold; the paper takes the last epoch.
(import '../paper.jsonnet') + (import '../rows.libsonnet').memnet_validated
