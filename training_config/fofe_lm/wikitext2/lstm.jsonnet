// LSTM language model on WikiText-2, with as many parameters as the FOFE language model of second order.
// Expected: perplexity 106.6 on dev, 100.3 on test, one seed.
(import 'base.libsonnet') {
  local config = self,
  model+: {
    encoder: { type: 'lstm', input_size: config.word_size, hidden_size: 160 },
    feedforward:: null,
  },
}
