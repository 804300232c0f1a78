// GUM: the full model without its relative attention.
(import 'base.libsonnet') + (import '../rows.libsonnet').no_relative
