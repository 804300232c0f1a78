// LitBank, nested: as encoded.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: test f1 75.1, 1 seed, 21 minutes.
(import '../free_data.libsonnet').litbank + (import '../encoded.libsonnet')
+ { words:: 'both', transformer_size:: 384 }
