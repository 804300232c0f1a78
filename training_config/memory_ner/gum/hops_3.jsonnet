// GUM: a memory of the document, read three times.
// Expected: F1 35.1 ± 5.4 on test, three seeds.
(import 'base.libsonnet') { num_hops:: 3 }
