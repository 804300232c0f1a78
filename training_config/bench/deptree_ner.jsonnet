// Any corpus with trees: dependency-aware NER, with its settings for GUM.
(import '../deptree_ner/gum/base.libsonnet') + (import 'words.libsonnet') + (import 'base.libsonnet') { full_epochs:: 30 }
