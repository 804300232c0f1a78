// LitBank, nested: all features of words and of characters.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').all
