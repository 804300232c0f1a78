// SNIPS: the left-to-right decoder alone, with lexical information.
// Expected: F1 90.70 ± 0.26, concept error rate 7.26 ± 0.53 on test, three seeds.
(import 'base.libsonnet') { variant:: 'forward_only' }
