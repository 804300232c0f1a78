// UNER-EWT: both decoders, with the last states of the GRU over characters and fixed word vectors from the
// file WORD_VECTORS.
// Measured: test f1 73.2, 1 seed, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').last_characters_glove
