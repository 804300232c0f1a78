// GUM: the full model without part-of-speech and dependency features.
(import '../lib/gum.libsonnet') { features:: [] }
