// GUM: no memory; a GRU over the document alone informs the CRF.
(import 'base.libsonnet') { num_hops:: 0 }
