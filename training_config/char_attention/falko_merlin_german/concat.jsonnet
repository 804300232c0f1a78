// Falko and MERLIN, errors of learners of German: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
