// BC2GM, genes in sentences of abstracts: attention with one weight for a word, not one for each feature.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').scalar_gate
