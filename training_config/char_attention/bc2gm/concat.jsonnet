// BC2GM, genes in sentences of abstracts: words and characters concatenated.
// Measured: test f1 78.4, 1 seed, 11 minutes.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').concat
