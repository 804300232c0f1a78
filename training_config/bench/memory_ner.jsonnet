// Any corpus with documents: a memory of the document, read once, with the settings that it has on Wikigold and GUM.
(import '../memory_ner/free_data.libsonnet') + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 40 }
