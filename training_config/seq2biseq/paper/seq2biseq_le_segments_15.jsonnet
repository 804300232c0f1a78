// Tables 3 to 5, Seq2Biseq_le seg-len 15. Published on MEDIA, development: accuracy 89.97, F1 86.57, CER 10.42; test: 89.57,
// 87.50, 10.26.
(import 'media.libsonnet') + (import '../rows.libsonnet').seq2biseq_le { segment_length:: 15 }
