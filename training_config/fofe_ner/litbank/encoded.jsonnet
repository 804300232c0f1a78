// LitBank, nested: FOFE codes and boundary words of a BiLSTM's outputs (our addition).
// Measured: not trained.
(import '../free_data.libsonnet').litbank + import '../encoded.libsonnet'
