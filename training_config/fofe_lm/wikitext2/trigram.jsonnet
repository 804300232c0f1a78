// Trigram network on WikiText-2.
(import 'base.libsonnet') { order:: 2, alpha:: 0 }
