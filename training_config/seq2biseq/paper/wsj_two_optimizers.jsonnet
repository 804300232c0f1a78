// Table 6, Seq2Biseq 2-opt. Published accuracy on WSJ: development 97.33, test 97.35.
(import 'wsj.libsonnet') + (import '../rows.libsonnet').seq2biseq_le { two_optimizers:: true }
