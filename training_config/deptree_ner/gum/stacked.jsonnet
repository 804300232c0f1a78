// GUM: the full model with two layers in each stack, as many as in the paper.
(import 'base.libsonnet') + (import '../rows.libsonnet').stacked
