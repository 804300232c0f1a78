// BC2GM, genes in sentences of abstracts: words and characters concatenated.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').concat
