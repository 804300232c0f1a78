// GermEval 2014, nested: all features of words and of characters.
(import 'base.libsonnet') + (import '../rows.libsonnet').all
