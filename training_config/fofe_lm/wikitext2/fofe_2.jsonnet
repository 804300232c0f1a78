// FOFE language model of second order on WikiText-2.
// Expected: perplexity 124.5 on dev, 118.0 on test, one seed.
(import 'base.libsonnet') { order:: 2 }
