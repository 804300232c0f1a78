// WNUT-17: as word.jsonnet, with the vectors of MiniLM (docs/transformers.md) in the place of those of words.
// Measured: test f1 44.6, 1 seed, 15 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word
+ (import '../../lib/words.libsonnet') { words:: 'transformer', transformer_size:: 384 }
