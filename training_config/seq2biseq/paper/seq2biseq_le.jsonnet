// Table 3, Seq2Biseq_le: lexical information in the decoders. Published on MEDIA, development: accuracy 89.42, F1 86.09,
// CER 10.58.
(import 'media.libsonnet') + (import '../rows.libsonnet').seq2biseq_le
