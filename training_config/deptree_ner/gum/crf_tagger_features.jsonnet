// GUM: crf_tagger of allennlp-models with the full model's input, including features.
// Measured: predicted_trees f1 53.1, 1 seed, 65 minutes, of an earlier configuration or evaluation.
(import '../free_data.libsonnet').gum + (import 'crf_tagger.libsonnet')
