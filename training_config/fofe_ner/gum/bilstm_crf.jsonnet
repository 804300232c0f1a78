// GUM: the BiLSTM-CRF of ner.jsonnet, which finds the outermost entities alone.
(import '../tagger.libsonnet') + (import '../../lib/data.libsonnet').gum
