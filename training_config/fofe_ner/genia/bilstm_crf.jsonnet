// GENIA: the BiLSTM-CRF of ner.jsonnet, for only the outermost entities.
(import '../tagger.libsonnet') + (import 'data.libsonnet')
