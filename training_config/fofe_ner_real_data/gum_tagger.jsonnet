// GUM, all entities, of which a tagger finds the outermost: a BiLSTM-CRF.
(import '../lib/memory_ner_gum.libsonnet') {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
  corpus:: { type: 'conllu' },
}
