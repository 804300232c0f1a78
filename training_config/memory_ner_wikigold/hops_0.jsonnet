// Wikigold: no memory; the GRU over the document tells the CRF what it knows.
(import '../lib/memory_ner_wikigold.libsonnet') { num_hops:: 0 }
