// NCBI-disease, diseases in sentences of abstracts: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').ncbi_disease + (import '../rows.libsonnet').word
