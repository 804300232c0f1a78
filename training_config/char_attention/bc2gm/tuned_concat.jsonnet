// BC2GM, genes in sentences of abstracts: words and characters concatenated, with vectors of words that are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').tuned_concat
