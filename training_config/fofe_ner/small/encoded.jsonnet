// FOFE-NER under a BiLSTM, for nested entities, small, trained on the treebank in the repository; nested.jsonnet has the
// thesis's features of words, without an encoder.
// Expected: F1 51.1 on dev, without a file of word vectors, within half a minute on one CPU core.
(import 'nested.jsonnet') + (import '../encoded.libsonnet') { word_vector_size:: 32, encoder_size:: 50 }
