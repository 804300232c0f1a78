// BC2GM, genes in sentences of abstracts: attention with one weight for a word, which the word alone decides, and no
// auxiliary loss.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').scalar_word_gate
