// GENIA: the BiLSTM-CRF of lib/tagger.libsonnet, for only the outermost entities.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').genia
