// GUM: the full model without part-of-speech and dependency features.
(import 'base.libsonnet') + (import '../rows.libsonnet').words_only
