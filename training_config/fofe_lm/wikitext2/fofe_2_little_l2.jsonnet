// FOFE language model of second order on WikiText-2, with a tenth of the L2 term.
// Measured: test perplexity 126.4, 1 seed, 45 minutes.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2 { weight_decay:: 4e-5 }
