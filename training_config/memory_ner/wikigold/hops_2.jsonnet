// Wikigold: a memory of the document, read twice.
// Expected: F1 63.9 ± 0.5 over five folds, three seeds.
(import 'base.libsonnet') { num_hops:: 2 }
