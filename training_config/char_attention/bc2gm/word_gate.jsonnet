// BC2GM, genes in sentences of abstracts: attention whose weights the word alone decides, not its characters.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').word_gate
