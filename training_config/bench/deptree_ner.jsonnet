// Any corpus with trees: dependency-aware NER, with its settings for GUM.
(import '../deptree_ner/free_data.libsonnet').gum + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 30 }
