// Any corpus: the transformer in the folder TRANSFORMER, whose vectors have TRANSFORMER_SIZE numbers, tuned with a CRF
// above it, without a BiLSTM, word vectors, characters and shapes.
(import '../ner.jsonnet') + (import 'base.libsonnet') {
  full_epochs:: 5,
  words:: 'transformer',
  tune_transformer:: true,
  dropout:: 0.1,
  model+: { encoder: { type: 'pass_through', input_dim: $.word_size } },
}
