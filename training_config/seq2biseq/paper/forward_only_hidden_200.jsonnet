// Table 7, Seq2seq, which the text describes as only the left-to-right decoder: GRUs of 200. Published: 1,703,450
// parameters; here 1,671,659 with the words, labels and characters of seq2biseq_le_hidden_200.jsonnet.
(import 'media.libsonnet') + (import '../rows.libsonnet').forward_only { segment_length:: 15, hidden_size:: 200 }
