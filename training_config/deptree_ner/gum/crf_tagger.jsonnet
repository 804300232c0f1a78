// GUM: crf_tagger of allennlp-models with the same word and character vectors, without features.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import 'crf_tagger.libsonnet') + (import '../rows.libsonnet').words_only
