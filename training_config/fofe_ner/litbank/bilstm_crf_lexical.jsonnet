// LitBank: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words, for only the outermost entities.
// Measured: not trained.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').litbank { lexical_features:: true }
