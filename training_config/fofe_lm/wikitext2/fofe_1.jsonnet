// FOFE language model of first order on WikiText-2.
// Expected: perplexity 133.9 on dev, 125.6 on test, one seed.
(import 'base.libsonnet') { order:: 1 }
