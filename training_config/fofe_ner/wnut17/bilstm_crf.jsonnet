// WNUT-17: the BiLSTM-CRF of lib/tagger.libsonnet.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wnut17
