// FOFE language model of second order on WikiText-2.
// Measured: development perplexity 147.1, 1 seed, 1 minute, of an earlier configuration or evaluation.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2 { learning_rate:: 0.256 }
