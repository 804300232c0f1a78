// GUM: crf_tagger of allennlp-models with the full model's input, including features.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import 'crf_tagger.libsonnet')
