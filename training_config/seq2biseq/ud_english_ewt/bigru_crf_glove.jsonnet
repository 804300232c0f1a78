// English Web Treebank: as bigru_crf.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
(import 'bigru_crf.jsonnet') + import '../glove.libsonnet'
