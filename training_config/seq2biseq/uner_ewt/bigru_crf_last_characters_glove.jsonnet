// UNER-EWT: as last_characters_glove.jsonnet, with a CRF in place of the decoders and an encoder of such a size
// that the models have as many parameters.
// Measured: test f1 72.0, 1 seed, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').bigru_crf_last_characters_glove
