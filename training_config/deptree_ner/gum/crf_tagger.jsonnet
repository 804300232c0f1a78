// GUM: crf_tagger of allennlp-models with the same word and character vectors, without features.
(import 'base.libsonnet') + (import 'crf_tagger.libsonnet') + (import '../rows.libsonnet').words_only
