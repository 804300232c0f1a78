// Falko and MERLIN, German learners' errors: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').falko_merlin_german + (import '../rows.libsonnet').word
