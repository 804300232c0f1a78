// GUM: the full model without its BiLSTM.
(import 'base.libsonnet') { semantic_layers:: 0 }
