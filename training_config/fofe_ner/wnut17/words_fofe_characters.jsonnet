// WNUT-17, Table 5.1, row 12: all features of words, and FOFE codes of characters.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').words_fofe_characters
