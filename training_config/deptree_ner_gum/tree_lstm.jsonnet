// GUM: the full model without its BiLSTM.
(import '../lib/gum.libsonnet') { semantic_layers:: 0 }
