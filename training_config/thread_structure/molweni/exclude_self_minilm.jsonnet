// Molweni: as exclude_self.jsonnet, with the vectors of MiniLM (docs/transformers.md) in the place of those of words.
// Measured: folds joint_f1 44.0, 1 seed, 8 minutes.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').exclude_self
+ (import '../../lib/words.libsonnet') { words:: 'transformer', transformer_size:: 384 }
