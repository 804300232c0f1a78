// 4-gram network on WikiText-2.
(import 'base.libsonnet') { order:: 3, alpha:: 0 }
