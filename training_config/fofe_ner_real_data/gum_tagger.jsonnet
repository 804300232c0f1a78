// GUM, all entities, of which a tagger finds the outermost: a BiLSTM-CRF.
// Expected: F1 47.9 on dev, 43.7 on test, of the outermost ones.
(import '../lib/memory_ner_gum.libsonnet') {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
  corpus:: { type: 'conllu' },
}
