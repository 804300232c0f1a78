// NCBI-disease, diseases in sentences of abstracts: words and characters concatenated.
// Measured: not trained.
(import '../free_data.libsonnet').ncbi_disease + (import '../rows.libsonnet').concat
