// GUM: the full model without its Tree-LSTM.
(import 'base.libsonnet') { syntactic_layers:: 0 }
