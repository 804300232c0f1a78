// 4-gram network on WikiText-2.
// Expected: perplexity 133.4 on dev, 125.7 on test, one seed.
(import 'base.libsonnet') { order:: 3, alpha:: 0 }
