// MERLIN, errors of learners of Italian: words alone.
(import 'base.libsonnet') { combination:: 'word' }
