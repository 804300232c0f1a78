// FOFE language model of first order on WikiText-2.
(import 'base.libsonnet') { order:: 1 }
