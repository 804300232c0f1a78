// SNIPS: both decoders, with lexical information.
// Expected: F1 91.45 ± 0.47, concept error rate 6.70 ± 0.37 on test, three seeds.
import 'base.libsonnet'
