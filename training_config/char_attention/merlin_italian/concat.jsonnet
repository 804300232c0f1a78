// MERLIN, Italian learners' errors: words and characters concatenated.
// Expected: F0.5 63.3 on the sentences of test that are not in train, one seed.
(import '../free_data.libsonnet').merlin_italian + (import '../rows.libsonnet').concat
