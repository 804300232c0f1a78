// Wikigold: a memory of the document, read twice.
(import '../lib/memory_ner_wikigold.libsonnet') { num_hops:: 2 }
