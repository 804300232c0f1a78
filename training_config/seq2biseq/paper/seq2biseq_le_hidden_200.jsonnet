// Table 7, Seq2Biseq_le: the GRUs of words and decoders at 200, as those of BiGRU+CRF there. Published: 2,139,950 parameters. Here
// 2,202,158 with the 2,210 words and 99 labels of the paper's Table 2, and 60 characters, of which it does not speak.
(import 'media.libsonnet') { variant:: 'seq2biseq_le', segment_length:: 15, hidden_size:: 200 }
