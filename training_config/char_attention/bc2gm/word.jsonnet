// BC2GM, genes in sentences of abstracts: words alone.
// Measured: test f1 71.5, 1 seed, 5 minutes.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').word
