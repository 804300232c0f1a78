// LSTM language model on WikiText-2, with as many parameters as the FOFE language model of second order.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').lstm { learning_rate:: 0.512 }
