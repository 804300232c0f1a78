// WNUT-17: as attention.jsonnet, with the vectors of MiniLM (docs/transformers.md) in the place of those of words.
// Measured: test f1 45.4, 1 seed, 20 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').attention
+ (import '../../lib/words.libsonnet') { words:: 'transformer', transformer_size:: 384 }
