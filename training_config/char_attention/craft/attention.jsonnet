// CRAFT, names of six types in sentences of full papers: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').craft + (import '../rows.libsonnet').attention
