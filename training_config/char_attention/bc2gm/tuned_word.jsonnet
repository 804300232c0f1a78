// BC2GM, genes in sentences of abstracts: words alone, with vectors that are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').tuned_word
