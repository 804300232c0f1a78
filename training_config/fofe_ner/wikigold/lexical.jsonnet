// Wikigold: all features of words and of characters, and the form of words, which is ours.
(import 'base.libsonnet') + (import '../rows.libsonnet').lexical
