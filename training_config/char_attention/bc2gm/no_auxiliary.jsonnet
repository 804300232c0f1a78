// BC2GM, genes in sentences of abstracts: attention without the auxiliary loss.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').no_auxiliary
