// SNIPS: as seq2biseq_le.jsonnet, with fixed word vectors from the file WORD_VECTORS. Not from the paper.
(import 'seq2biseq_le.jsonnet') + import '../glove.libsonnet'
