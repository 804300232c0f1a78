// GUM: a memory of the document, read three times.
(import 'base.libsonnet') { num_hops:: 3 }
