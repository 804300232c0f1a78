// English Web Treebank: as seq2biseq_le.jsonnet, trained on segments of 15 words, one starting at every 5th word, with
// as many updates (3,528).
// Measured: not trained.
(import '../free_data.libsonnet').ud_english_ewt { segment_length:: 15, segment_stride:: 5, epochs:: 4 }
