// WNUT-17: all features, SGD with the thesis's learning rates in place of Adam.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').sgd
