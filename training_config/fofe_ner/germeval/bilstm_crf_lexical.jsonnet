// GermEval 2014: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words, for only the outermost
// entities. Leave WORD_VECTORS empty, so that vectors are learned.
// Measured: not trained.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').germeval { lexical_features:: true }
