// FOFE language model of second order on WikiText-2.
// Measured: test perplexity 124.6, 1 seed, 53 minutes.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2
