// MERLIN, Italian learners' errors: attention to words and characters.
// Expected: F0.5 60.1 on the sentences of test that are not in train, one seed.
(import '../free_data.libsonnet').merlin_italian + (import '../rows.libsonnet').attention
