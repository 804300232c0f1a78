// LitBank: a memory of the sentence that is never read: a GRU and a CRF.
// Measured: not trained.
(import '../free_data.libsonnet').litbank + (import '../rows.libsonnet').sentence_hops_0
