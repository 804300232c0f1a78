// Trigram network on WikiText-2.
// Expected: perplexity 138.8 on dev, 130.4 on test, one seed.
(import 'base.libsonnet') { order:: 2, alpha:: 0 }
