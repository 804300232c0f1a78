// Falko and MERLIN, German learners' errors: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').falko_merlin_german + (import '../rows.libsonnet').attention
