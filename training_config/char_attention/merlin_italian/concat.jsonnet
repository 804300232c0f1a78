// MERLIN, errors of learners of Italian: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
