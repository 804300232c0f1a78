// Table 5, BiGRU+CRF, with about as many parameters as Seq2Biseq_le. Published on MEDIA, of another program: test F1 86.69,
// CER 10.13.
(import 'media.libsonnet') { variant:: 'bigru_crf', segment_length:: 15 }
