// Table 6, Seq2Biseq. Published accuracy on WSJ: development 97.13, test 97.20.
(import 'wsj.libsonnet') + (import '../rows.libsonnet').seq2biseq_le
