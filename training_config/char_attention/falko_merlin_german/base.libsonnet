// Falko and MERLIN: errors of learners of German.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').falko_merlin_german {
  task:: 'error_detection',
  epochs:: 4,
}
