// GUM: the paper's baseline, one BiLSTM layer with the same features.
(import 'base.libsonnet') { syntactic_layers:: 0, residual:: false, relative:: false, global:: false }
