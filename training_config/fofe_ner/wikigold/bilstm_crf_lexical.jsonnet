// Wikigold: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wikigold { lexical_features:: true }
