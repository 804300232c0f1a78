// Falko and MERLIN, errors of learners of German: words alone.
(import 'base.libsonnet') { combination:: 'word' }
