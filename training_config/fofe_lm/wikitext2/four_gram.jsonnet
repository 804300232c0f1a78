// 4-gram network on WikiText-2.
(import 'base.libsonnet') + (import '../rows.libsonnet').four_gram
