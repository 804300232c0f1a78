// GUM: a memory of the sentence alone.
// Expected: F1 35.5 ± 1.6 on test, three seeds.
(import 'base.libsonnet') { reads:: 'sentences' }
