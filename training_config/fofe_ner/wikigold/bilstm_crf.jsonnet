// Wikigold: the BiLSTM-CRF of lib/tagger.libsonnet.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').wikigold
