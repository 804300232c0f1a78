// MERLIN, Italian learners' errors: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').merlin_italian + (import '../rows.libsonnet').word
