// Wikigold: as bilstm_crf.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: folds f1 71.7, 1 seed, 4 minutes.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').bilstm_crf_as_large { hidden_size:: 144 }
+ (import '../../lib/words.libsonnet') { words:: 'both', transformer_size:: 384 }
