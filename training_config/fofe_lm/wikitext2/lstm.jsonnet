// LSTM language model on WikiText-2, with as many parameters as the FOFE language model of second order.
// Measured: development perplexity 202.2, 1 seed, 1 minute, of an earlier configuration or evaluation.
(import 'base.libsonnet') + (import '../rows.libsonnet').lstm { learning_rate:: 0.512 }
