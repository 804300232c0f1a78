// Any corpus: Seq2Biseq with lexical information in its decoders, with its settings for SNIPS; F1 selects the epoch.
(import '../seq2biseq/free_data.libsonnet').shared + (import 'base.libsonnet') {
  full_epochs:: 15,
  task:: 'slots',
  word_vectors:: if $.has_vectors then std.extVar('WORD_VECTORS') else null,
  word_vector_size:: if $.has_vectors then $.vector_size else 200,
  trainer+: { validation_metric: '+f1' },
}
