// English Web Treebank, the language-specific parts of speech: attention to words and characters.
import 'base.libsonnet'
