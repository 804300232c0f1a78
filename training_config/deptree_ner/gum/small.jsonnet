// GUM: the full model without its Tree-LSTM, two thirds as wide.
// Expected: F1 37.4 ± 0.8 on test, three seeds.
(import 'base.libsonnet') {
  word_vector_size:: 40,
  character_filters:: 24,
  syntactic_layers:: 0,
}
