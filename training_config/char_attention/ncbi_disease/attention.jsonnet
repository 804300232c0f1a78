// NCBI-disease, diseases in sentences of abstracts: attention to words and characters.
// Measured: test f1 84.7, 1 seed, 21 minutes.
(import '../free_data.libsonnet').ncbi_disease + (import '../rows.libsonnet').attention
