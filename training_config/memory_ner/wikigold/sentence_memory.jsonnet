// Wikigold: a memory of the sentence alone.
// Expected: F1 64.1 ± 1.0 over five folds, three seeds.
(import 'base.libsonnet') { reads:: 'sentences' }
