// WNUT-17: the BiLSTM-CRF of ner.jsonnet.
(import '../tagger.libsonnet') + (import '../../lib/data.libsonnet').wnut17
