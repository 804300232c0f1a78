// English Web Treebank: as seq2biseq_le.jsonnet, with the word vectors that WORD_VECTORS names. Not the paper's.
(import 'seq2biseq_le.jsonnet') + import '../glove.libsonnet'
