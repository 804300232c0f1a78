// Bigram network on WikiText-2.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').bigram
