// GUM: the full model without part-of-speech and dependency features.
// Expected: F1 24.6 ± 2.4 on test, three seeds.
(import 'base.libsonnet') { features:: [] }
