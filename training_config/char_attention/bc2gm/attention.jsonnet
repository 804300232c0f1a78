// BC2GM, genes in sentences of abstracts: attention to words and characters.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').attention
