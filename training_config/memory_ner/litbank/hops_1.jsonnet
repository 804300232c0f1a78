// LitBank: a memory of the document, read once, as in the paper.
// Measured: test f1 67.7, 1 seed, 59 minutes.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').hops_1
