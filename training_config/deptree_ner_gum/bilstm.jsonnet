// GUM: the full model without its Tree-LSTM.
(import '../lib/gum.libsonnet') { syntactic_layers:: 0 }
