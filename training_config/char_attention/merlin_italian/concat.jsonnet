// MERLIN, Italian learners' errors: words and characters concatenated.
// Expected: F0.5 63.3 on the sentences of test that are not in train, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
