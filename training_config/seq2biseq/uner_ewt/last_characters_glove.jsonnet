// UNER-EWT: both decoders, with the last states of the GRU over characters and fixed word vectors from the
// file WORD_VECTORS.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').last_characters_glove
