// GermEval 2014, nested: all features, SGD with the thesis's learning rates in place of Adam.
// Measured: not trained.
(import '../free_data.libsonnet').germeval + (import '../rows.libsonnet').sgd
