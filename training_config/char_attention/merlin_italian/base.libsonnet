// MERLIN: Italian learners' errors.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').merlin_italian {
  task:: 'error_detection',
  batch_size:: 16,
  epochs:: 14,
}
