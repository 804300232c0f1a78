// LitBank: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words, for only the outermost entities.
// Measured: test f1 68.2, 1 seed, 30 minutes.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').litbank { lexical_features:: true }
