// Table 5.1, row 10: all case-sensitive features.
// Published test precision 90.26, recall 86.63, F1 88.41.
(import '../paper.jsonnet') + (import '../rows.libsonnet').cased
