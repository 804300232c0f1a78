// Bigram network on WikiText-2.
(import 'base.libsonnet') { alpha:: 0 }
