// Tables 5 and 7, BiGRU+CRF: hidden layers of 200, the size in the paper. Published on MEDIA, with another program:
// test F1 86.69, CER 10.13.
(import 'media.libsonnet') + (import '../rows.libsonnet').bigru_crf { segment_length:: 15, crf_hidden_size:: 200 }
