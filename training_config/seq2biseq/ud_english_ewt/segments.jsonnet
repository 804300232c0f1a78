// English Web Treebank: as seq2biseq_le.jsonnet, trained on segments of 15 words, one every 5 words.
// Expected: accuracy 93.24 and 93.22 on test with seeds 1 and 2; measured with words counted on segments, of
// which more occur twice.
(import 'base.libsonnet') { segment_length:: 15, segment_stride:: 5 }
