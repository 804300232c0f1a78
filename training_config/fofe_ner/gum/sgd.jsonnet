// GUM, nested: all features, SGD with the thesis's learning rates in place of Adam.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').sgd
