// UNER-EWT: as last_characters_glove.jsonnet, with a CRF in place of the decoders and an encoder of such a size
// that the models have as many parameters.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').bigru_crf_last_characters_glove
