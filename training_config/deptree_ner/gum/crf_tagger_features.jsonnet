// GUM: crf_tagger of allennlp-models with the full model's input, including features.
(import 'base.libsonnet') + (import 'crf_tagger.libsonnet')
