// GUM: the full model without its global attention.
(import 'base.libsonnet') { global:: false }
