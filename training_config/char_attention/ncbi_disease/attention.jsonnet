// NCBI-disease, diseases in sentences of abstracts: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').ncbi_disease + (import '../rows.libsonnet').attention
