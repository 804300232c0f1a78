// GUM: one Tree-LSTM layer with the same features.
(import 'base.libsonnet') { semantic_layers:: 0, residual:: false, relative:: false, global:: false }
