// Wikigold: no memory; only a GRU over the document informs the CRF.
(import 'base.libsonnet') { num_hops:: 0 }
