// GermEval 2014: the BiLSTM-CRF of ner.jsonnet, for only the outermost entities. Leave WORD_VECTORS empty, so that
// vectors are learned.
(import '../tagger.libsonnet') + (import '../../lib/data.libsonnet').germeval
