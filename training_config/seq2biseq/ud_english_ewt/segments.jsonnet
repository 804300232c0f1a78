// English Web Treebank: as seq2biseq_le.jsonnet, trained on segments of 15 words, one every 5 words.
(import 'base.libsonnet') { segment_length:: 15, segment_stride:: 5 }
