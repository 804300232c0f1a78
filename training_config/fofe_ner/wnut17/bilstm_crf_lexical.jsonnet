// WNUT-17: the BiLSTM-CRF of lib/tagger.libsonnet with lexical features of words.
// Measured: test f1 38.4 ± 0.8, 3 seeds, 17 minutes.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wnut17 { lexical_features:: true }
