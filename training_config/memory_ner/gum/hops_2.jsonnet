// GUM: a memory of the document, read twice.
// Expected: F1 36.8 ± 1.9 on test, three seeds.
(import 'base.libsonnet') { num_hops:: 2 }
