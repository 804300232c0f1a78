// WNUT-17: FOFE codes and boundary words of a BiLSTM's outputs (our addition).
// Measured: test f1 36.5, 1 seed, 9 minutes.
(import '../free_data.libsonnet').wnut17 + import '../encoded.libsonnet'
