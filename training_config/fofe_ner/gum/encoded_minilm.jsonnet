// GUM, nested: as encoded.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: test f1 64.4, 1 seed, 38 minutes.
(import '../free_data.libsonnet').gum + (import '../encoded.libsonnet') + { words:: 'both', transformer_size:: 384 }
