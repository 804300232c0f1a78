// SNIPS: as bigru_crf.jsonnet, with the last states of the GRU over characters, as last_characters.jsonnet.
// Measured: not trained.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').bigru_crf_last_characters
