// WNUT-17, Table 5.1, row 13: all features of words, and the CNN over characters.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').words_character_cnn
