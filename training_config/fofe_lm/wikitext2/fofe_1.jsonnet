// FOFE language model of first order on WikiText-2, with layers of 404 in place of the thesis's 400: as many parameters
// as with second order.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_1 { hidden_sizes:: [404, 404], learning_rate:: 0.128 }
