// GUM: both stacks, both attentions, part-of-speech and dependency features.
// Expected: F1 39.8 ± 1.7 on test, three seeds.
import 'base.libsonnet'
