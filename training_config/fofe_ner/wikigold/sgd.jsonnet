// Wikigold: all features, SGD with the thesis's learning rates in place of Adam.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').sgd
