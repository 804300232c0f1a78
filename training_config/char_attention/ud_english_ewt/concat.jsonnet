// English Web Treebank, the language-specific parts of speech: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
