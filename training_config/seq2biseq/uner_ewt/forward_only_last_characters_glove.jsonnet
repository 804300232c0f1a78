// UNER-EWT: as last_characters_glove.jsonnet, with the left-to-right decoder alone.
// Measured: test f1 70.6, 1 seed, 8 minutes.
(import '../free_data.libsonnet').uner_ewt + (import '../rows.libsonnet').forward_only_last_characters_glove
