// Wikigold: all features of words and of characters, and lexical features of words (our addition).
(import 'base.libsonnet') + (import '../rows.libsonnet').lexical
