// SNIPS: as last_characters_glove.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: test f1 95.4, 1 seed, 28 minutes.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').last_characters_glove
+ (import '../../lib/words.libsonnet') { words:: 'both', transformer_size:: 384 }
