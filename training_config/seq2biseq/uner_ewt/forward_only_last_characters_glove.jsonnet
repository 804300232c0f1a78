// UNER-EWT: as last_characters_glove.jsonnet, with the left-to-right decoder alone.
// Measured: not trained.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').forward_only_last_characters_glove
