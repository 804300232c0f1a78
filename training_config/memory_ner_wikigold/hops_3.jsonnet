// Wikigold: a memory of the document, read three times.
(import '../lib/memory_ner_wikigold.libsonnet') { num_hops:: 3 }
