// Falko and MERLIN, German learners' errors: words and characters concatenated.
// Expected: F0.5 55.2 on test, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
