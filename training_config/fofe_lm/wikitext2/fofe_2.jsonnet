// FOFE language model of second order on WikiText-2.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2 { learning_rate:: 0.256 }
