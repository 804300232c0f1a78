// WNUT-17: FOFE codes and boundary words of a BiLSTM's outputs (our addition).
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + import '../encoded.libsonnet'
