// English Web Treebank: as bigru_crf.jsonnet, with the last states of the GRU over characters, as last_characters.jsonnet.
// Measured: test accuracy 93.3, 1 seed, 10 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').bigru_crf_last_characters
