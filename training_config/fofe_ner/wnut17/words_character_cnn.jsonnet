// WNUT-17, Table 5.1, row 13: all features of words, and the CNN over characters.
// Expected: F1 34.8 on dev, 23.2 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').words_character_cnn
