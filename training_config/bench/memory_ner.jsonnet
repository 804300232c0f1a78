// Any corpus with documents: a memory of the document, read once, with the settings of ner.jsonnet.
local memory_ner = (import '../memory_ner/free_data.libsonnet').as_ner;

memory_ner + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 30 }
