// GENIA, nested: all features, SGD with the thesis's learning rates in place of Adam.
(import 'base.libsonnet') + (import '../rows.libsonnet').sgd
