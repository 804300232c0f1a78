// GUM: the full model without its Tree-LSTM, two thirds as wide.
(import 'base.libsonnet') {
  word_vector_size:: 40,
  character_filters:: 24,
  syntactic_layers:: 0,
}
