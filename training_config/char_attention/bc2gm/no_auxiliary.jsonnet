// BC2GM, genes in sentences of abstracts: attention without the auxiliary loss.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').no_auxiliary
