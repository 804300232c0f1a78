// GUM: both stacks, both attentions, part-of-speech and dependency features.
import '../lib/gum.libsonnet'
