// CRAFT, names of six types in sentences of full papers: words and characters concatenated.
// Measured: not trained.
(import '../free_data.libsonnet').craft + (import '../rows.libsonnet').concat
