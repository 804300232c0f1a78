// Wikigold: no memory; only a GRU over the document informs the CRF.
// Measured: not trained.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_0
