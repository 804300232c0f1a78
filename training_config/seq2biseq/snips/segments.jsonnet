// SNIPS: as seq2biseq_le.jsonnet, trained on segments of 10 words.
// Expected: F1 92.43 ± 0.12, concept error rate 5.87 ± 0.22 on test, three seeds; measured with words counted on segments,
// of which more occur twice.
(import 'base.libsonnet') { segment_length:: 10 }
