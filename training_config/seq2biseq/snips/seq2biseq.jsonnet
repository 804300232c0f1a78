// SNIPS: both decoders, without lexical information.
// Expected: F1 91.11 ± 0.18, concept error rate 7.17 ± 0.34 on test, three seeds.
(import 'base.libsonnet') { variant:: 'seq2biseq' }
