// Wikigold: a memory of the document, read twice.
(import 'base.libsonnet') { num_hops:: 2 }
