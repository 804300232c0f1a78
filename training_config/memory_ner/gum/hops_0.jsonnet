// GUM: no memory; only a GRU over the document informs the CRF.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').hops_0
