// WNUT-17: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wnut17 { lexical_features:: true }
