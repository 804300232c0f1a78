// FOFE language model of second order on WikiText-2.
// Measured: test perplexity 94.9, 1 seed, 39 minutes.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2 { learning_rate:: 0.256 }
