// WNUT-17: as word.jsonnet, with the vectors of MiniLM (docs/transformers.md) in the place of those of words.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word
+ (import '../../lib/words.libsonnet') { words:: 'transformer', transformer_size:: 384 }
