// GUM: a memory of the sentence alone.
(import '../lib/memory_ner_gum.libsonnet') { reads:: 'sentences' }
