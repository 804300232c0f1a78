// Falko and MERLIN, German learners' errors: words alone.
// Expected: F0.5 55.1 on test, one seed.
(import '../free_data.libsonnet').falko_merlin_german + (import '../rows.libsonnet').word
