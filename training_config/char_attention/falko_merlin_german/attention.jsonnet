// Falko and MERLIN, German learners' errors: attention to words and characters.
// Expected: F0.5 54.9 on test, one seed.
(import '../free_data.libsonnet').falko_merlin_german + (import '../rows.libsonnet').attention
