// GENIA, nested: all features, SGD with the thesis's learning rates in place of Adam.
// Measured: not trained.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').sgd
