// SNIPS: as seq2biseq_le.jsonnet, trained on segments of 10 words, one starting at every word, with as many updates
// (6,072; 6,135 on sentences).
// Measured: not trained.
(import '../free_data.libsonnet').snips { segment_length:: 10, epochs:: 8 }
