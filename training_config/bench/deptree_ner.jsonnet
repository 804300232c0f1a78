// Any corpus with trees: dependency-aware NER, with the settings that it has on GUM.
(import '../deptree_ner/gum/base.libsonnet') + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 30 }
