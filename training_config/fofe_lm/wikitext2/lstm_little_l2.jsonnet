// LSTM language model on WikiText-2, with a tenth of the L2 term.
// Measured: test perplexity 119.0, 1 seed, 57 minutes.
(import 'base.libsonnet') + (import '../rows.libsonnet').lstm { weight_decay:: 4e-5 }
