// FOFE language model of second order on WikiText-2.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2
