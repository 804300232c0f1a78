// Table 5.1, row 11: all features of words.
// Published test precision 92.03, recall 86.08, F1 88.96.
(import '../paper.jsonnet') + (import '../rows.libsonnet').words
