// GUM: the full model with equation 4 around the global attention, too, as in the paper.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').global_inside_norm
