// Table 5.1, row 13: all features of words, and the CNN over characters.
// Published test precision 91.80, recall 88.58, F1 90.16.
(import '../paper.jsonnet') + (import '../rows.libsonnet').words_character_cnn
