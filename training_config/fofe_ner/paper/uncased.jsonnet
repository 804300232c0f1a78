// Table 5.1, row 9: all case-insensitive features.
// Published test precision 90.11, recall 82.75, F1 86.28.
(import '../paper.jsonnet') + (import '../rows.libsonnet').uncased
