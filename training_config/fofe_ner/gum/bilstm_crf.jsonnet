// GUM, all entities, of which a tagger finds the outermost: a BiLSTM-CRF.
// Expected: F1 47.9 on dev, 43.7 on test, of the outermost ones.
(import '../../memory_ner/gum/base.libsonnet') + (import '../../lib/data.libsonnet').gum {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
}
