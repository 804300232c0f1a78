// Table 5.1, row 12: all features of words, and FOFE codes of characters.
// Published test precision 91.68, recall 88.54, F1 90.08.
(import '../paper.jsonnet') + (import '../rows.libsonnet').words_fofe_characters
