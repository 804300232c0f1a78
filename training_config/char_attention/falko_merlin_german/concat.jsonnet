// Falko and MERLIN, German learners' errors: words and characters concatenated.
// Expected: F0.5 55.2 on test, one seed.
(import '../free_data.libsonnet').falko_merlin_german + (import '../rows.libsonnet').concat
