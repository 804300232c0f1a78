// BC2GM, genes in sentences of abstracts: words alone.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').word
