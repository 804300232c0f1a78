// CRAFT, names of six types in sentences of full papers: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').craft + (import '../rows.libsonnet').word
