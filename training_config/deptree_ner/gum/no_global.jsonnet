// GUM: the full model without its global attention.
(import 'base.libsonnet') + (import '../rows.libsonnet').no_global
