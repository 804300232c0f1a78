// Table 7, Seq2Biseq_le: GRUs of words and decoders of 200, as in BiGRU+CRF there. Published: 2,139,950 parameters.
// Here 2,202,158 with the 2,210 words and 99 labels of the paper's Table 2, and 60 characters, whose number the paper
// does not give.
(import 'media.libsonnet') + (import '../rows.libsonnet').seq2biseq_le { segment_length:: 15, hidden_size:: 200 }
