// Table 5.1, row 14: all features of words and of characters.
// Published test precision 93.29, recall 88.27, F1 90.71.
(import '../paper.jsonnet') + (import '../rows.libsonnet').all
