// Falko and MERLIN, errors of learners of German: words alone.
// Expected: F0.5 55.1 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
