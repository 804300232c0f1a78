// Falko and MERLIN: German learners' errors.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').falko_merlin_german {
  task:: 'error_detection',
  epochs:: 4,
}
