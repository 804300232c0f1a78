// Wikigold: a memory of the sentence alone.
(import '../lib/memory_ner_wikigold.libsonnet') { reads:: 'sentences' }
