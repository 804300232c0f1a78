// Table 5.1, row 7: FOFE codes of the span's characters.
// Published test precision 67.67, recall 52.78, F1 59.31.
(import '../paper.jsonnet') + (import '../rows.libsonnet').fofe_characters
