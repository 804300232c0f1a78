// SNIPS: as seq2biseq_le.jsonnet, trained on segments of 10 words.
(import 'base.libsonnet') { segment_length:: 10 }
