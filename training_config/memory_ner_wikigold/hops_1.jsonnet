// Wikigold: a memory of the document, read once, as in the paper.
import '../lib/memory_ner_wikigold.libsonnet'
