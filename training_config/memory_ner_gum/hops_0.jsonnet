// GUM: no memory; the GRU over the document tells the CRF what it knows.
(import '../lib/memory_ner_gum.libsonnet') { num_hops:: 0 }
