// Table 5.1, row 8: a CNN over the span's characters.
// Published test precision 78.93, recall 69.49, F1 73.91.
(import '../paper.jsonnet') + (import '../rows.libsonnet').character_cnn
