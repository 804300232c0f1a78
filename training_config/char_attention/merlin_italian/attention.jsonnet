// MERLIN, Italian learners' errors: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').merlin_italian + (import '../rows.libsonnet').attention
