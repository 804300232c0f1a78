// English Web Treebank: as seq2biseq_le.jsonnet, trained on segments of 15 words, one every 5 words, with as
// many updates (3,528).
(import 'base.libsonnet') { segment_length:: 15, segment_stride:: 5, epochs:: 4 }
