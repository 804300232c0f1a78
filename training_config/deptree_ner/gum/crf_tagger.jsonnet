// GUM: crf_tagger of allennlp-models with the same word and character vectors, without features.
// Measured: development_predicted_trees f1 48.5, 1 seed, 17 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import 'crf_tagger.libsonnet') + (import '../rows.libsonnet').words_only
