// Table 5.1, row 8: a CNN over the span's characters.
// Published test precision 78.93, recall 69.49, F1 73.91.
(import '../fofe_ner_paper.jsonnet') + (import '../lib/fofe_ner_rows.libsonnet').character_cnn
