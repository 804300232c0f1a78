// SNIPS: as bigru_crf_last_characters_glove.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of
// words.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').bigru_crf_last_characters_glove
+ (import '../../lib/words.libsonnet') { words:: 'both', transformer_size:: 384 }
