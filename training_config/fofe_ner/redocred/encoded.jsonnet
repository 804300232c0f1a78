// Re-DocRED: FOFE codes and boundary words of a BiLSTM's outputs (our addition).
// Measured: not trained.
(import '../free_data.libsonnet').redocred + import '../encoded.libsonnet'
