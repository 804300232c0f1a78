// Bigram network on WikiText-2.
// Expected: perplexity 163.5 on dev, 153.9 on test, one seed.
(import 'base.libsonnet') { alpha:: 0 }
