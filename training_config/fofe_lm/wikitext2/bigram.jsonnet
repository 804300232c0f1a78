// Bigram network on WikiText-2.
(import 'base.libsonnet') + (import '../rows.libsonnet').bigram
