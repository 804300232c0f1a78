// WNUT-17, Table 5.1, row 12: all features of words, and FOFE codes of characters.
// Expected: F1 34.8 on dev, 19.3 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').words_fofe_characters
