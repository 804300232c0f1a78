// FOFE-NER under a BiLSTM, for nested entities, small, trained on the treebank in the repository.
(import 'nested.jsonnet') + (import '../encoded.libsonnet') { word_vector_size:: 32, encoder_size:: 50 }
