// GUM: a memory of the document, read twice.
(import '../lib/memory_ner_gum.libsonnet') { num_hops:: 2 }
