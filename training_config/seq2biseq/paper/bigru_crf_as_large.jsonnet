// Table 5, BiGRU+CRF, with about as many parameters as Seq2Biseq_le; bigru_crf.jsonnet has the paper's size.
(import 'media.libsonnet') + (import '../rows.libsonnet').bigru_crf { segment_length:: 15, crf_hidden_size:: 581 }
