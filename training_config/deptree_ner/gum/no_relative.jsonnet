// GUM: the full model without its relative attention.
(import 'base.libsonnet') { relative:: false }
