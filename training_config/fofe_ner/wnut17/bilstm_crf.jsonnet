// WNUT-17: the BiLSTM-CRF of lib/tagger.libsonnet.
// Measured: test f1 37.7, 1 seed, 8 minutes.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wnut17
