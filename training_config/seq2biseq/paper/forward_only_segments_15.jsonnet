// Table 3, fw-Seq2Biseq_le seg-len 15: the left-to-right decoder alone. Published on MEDIA, development: accuracy 89.51,
// F1 85.94, CER 11.40.
(import 'media.libsonnet') + (import '../rows.libsonnet').forward_only { segment_length:: 15 }
