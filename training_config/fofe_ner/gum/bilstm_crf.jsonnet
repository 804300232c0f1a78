// GUM, all entities: a BiLSTM-CRF, which finds the outermost alone.
// Expected: F1 47.9 on dev, 43.7 on test, counting the outermost ones.
(import '../../memory_ner/gum/base.libsonnet') + (import '../../lib/data.libsonnet').gum {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
}
