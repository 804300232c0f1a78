// GUM: no memory; only a GRU over the document informs the CRF.
// Measured: test f1 44.0, 1 seed, 36 minutes.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_0
