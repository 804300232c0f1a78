// Wikigold: the BiLSTM-CRF of ner.jsonnet.
(import '../tagger.libsonnet') + (import '../../lib/data.libsonnet').wikigold
