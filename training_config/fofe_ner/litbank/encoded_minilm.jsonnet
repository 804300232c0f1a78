// LitBank, nested: as encoded.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../encoded.libsonnet')
+ { words:: 'both', transformer_size:: 384 }
