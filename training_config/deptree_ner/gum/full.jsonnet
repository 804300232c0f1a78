// GUM: both stacks, both attentions, part-of-speech and dependency features.
import 'base.libsonnet'
