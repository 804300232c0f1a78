// LSTM language model on WikiText-2, with as many parameters as the FOFE language model of second order.
// Measured: test perplexity 138.0, 1 seed, 56 minutes.
(import 'base.libsonnet') + (import '../rows.libsonnet').lstm
