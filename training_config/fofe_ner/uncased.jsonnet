// Table 5.1, row 9: all case-insensitive features.
// Published test precision 90.11, recall 82.75, F1 86.28.
(import '../fofe_ner_paper.jsonnet') + (import '../lib/fofe_ner_rows.libsonnet').uncased
