// FOFE language model of second order on WikiText-2.
(import 'base.libsonnet') { order:: 2 }
