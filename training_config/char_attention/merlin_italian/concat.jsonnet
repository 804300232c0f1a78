// MERLIN, Italian learners' errors: words and characters concatenated.
// Measured: not trained.
(import '../free_data.libsonnet').merlin_italian + (import '../rows.libsonnet').concat
