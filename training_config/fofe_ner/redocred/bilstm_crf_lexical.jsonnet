// Re-DocRED: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words.
// Measured: not trained.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').redocred { lexical_features:: true }
