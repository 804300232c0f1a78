// GUM: the full model with two layers in each stack, as many as in the paper.
(import 'base.libsonnet') { semantic_layers:: 2, syntactic_layers:: 2 }
