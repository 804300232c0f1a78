// GUM: crf_tagger of allennlp-models with the same word and character vectors, without features.
(import 'crf_tagger_features.jsonnet') { features:: [] }
