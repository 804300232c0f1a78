// LitBank: no memory; only a GRU over the document informs the CRF.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').hops_0
