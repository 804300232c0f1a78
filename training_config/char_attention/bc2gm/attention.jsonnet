// BC2GM, genes in sentences of abstracts: attention to words and characters.
// Measured: test f1 78.3, 1 seed, 22 minutes.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').attention
