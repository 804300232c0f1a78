// Falko and MERLIN, German learners' errors: words alone.
// Expected: F0.5 55.1 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
