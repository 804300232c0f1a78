// FOFE language model of first order on WikiText-2.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_1
