// Table 3, Seq2Biseq: no lexical information in the decoders. Published on MEDIA, development: accuracy 89.11, F1 85.59,
// CER 11.46.
(import 'media.libsonnet') + (import '../rows.libsonnet').seq2biseq
