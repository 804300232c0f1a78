// MERLIN, Italian learners' errors: words alone.
// Expected: F0.5 60.1 on the sentences of test that are not in train, one seed.
(import 'base.libsonnet') { combination:: 'word' }
