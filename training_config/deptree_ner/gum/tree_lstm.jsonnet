// GUM: the full model without its BiLSTM.
// Expected: F1 38.5 ± 1.9 on test, three seeds.
(import 'base.libsonnet') { semantic_layers:: 0 }
