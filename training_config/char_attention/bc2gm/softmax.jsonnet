// BC2GM, genes in sentences of abstracts: attention, with a softmax at each word in place of the CRF.
// Measured: not trained.
(import '../free_data.libsonnet').bc2gm + (import '../rows.libsonnet').softmax
