// BC2GM, genes in sentences of abstracts: attention, with vectors of words that are tuned.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').tuned
