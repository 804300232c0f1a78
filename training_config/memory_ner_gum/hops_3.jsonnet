// GUM: a memory of the document, read three times.
(import '../lib/memory_ner_gum.libsonnet') { num_hops:: 3 }
