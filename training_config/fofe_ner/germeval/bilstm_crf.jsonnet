// GermEval 2014: the BiLSTM-CRF of ner.jsonnet, which finds the outermost entities alone. WORD_VECTORS is to be empty, so
// that vectors are learned.
(import '../tagger.libsonnet') + (import '../../lib/data.libsonnet').germeval
