// LSTM language model on WikiText-2, with as many parameters as the FOFE language model of second order.
(import 'base.libsonnet') {
  learning_rate:: 0.256,  // the best of three on the development part, as the other model's

  local config = self,
  model+: {
    encoder: { type: 'lstm', input_size: config.word_size, hidden_size: 358 },
    feedforward:: null,
  },
}
