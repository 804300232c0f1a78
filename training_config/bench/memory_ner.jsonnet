// Any corpus with documents: a memory of the document, read once, with its settings for Wikigold and GUM.
local memory_ner = (import '../memory_ner/free_data.libsonnet').shared;

memory_ner + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 40 }
