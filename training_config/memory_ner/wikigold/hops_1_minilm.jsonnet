// Wikigold: as hops_1.jsonnet, with the vectors of MiniLM (docs/transformers.md) beside those of words.
// Measured: folds f1 70.5, 1 seed, 8 minutes.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_1
+ (import '../../lib/words.libsonnet') { words:: 'both', transformer_size:: 384 }
