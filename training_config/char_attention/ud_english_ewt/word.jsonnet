// English Web Treebank, the language-specific parts of speech: words alone.
(import 'base.libsonnet') { combination:: 'word' }
