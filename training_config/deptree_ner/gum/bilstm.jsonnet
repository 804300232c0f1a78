// GUM: the full model without its Tree-LSTM.
// Expected: F1 40.5 ± 0.5 on test, three seeds.
(import 'base.libsonnet') { syntactic_layers:: 0 }
