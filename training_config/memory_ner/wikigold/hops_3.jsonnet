// Wikigold: a memory of the document, read three times.
// Expected: F1 63.9 ± 0.7 over five folds, three seeds.
(import 'base.libsonnet') { num_hops:: 3 }
