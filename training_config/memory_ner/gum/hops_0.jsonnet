// GUM: no memory; the GRU over the document tells the CRF what it knows.
(import 'base.libsonnet') { num_hops:: 0 }
