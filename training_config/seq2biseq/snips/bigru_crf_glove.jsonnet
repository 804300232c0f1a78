// SNIPS: as bigru_crf.jsonnet, with the word vectors that WORD_VECTORS names. Not the paper's.
(import 'bigru_crf.jsonnet') + import '../glove.libsonnet'
