// Wikigold: a memory of the sentence alone.
(import 'base.libsonnet') { reads:: 'sentences' }
