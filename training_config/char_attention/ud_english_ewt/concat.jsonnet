// English Web Treebank, the language-specific parts of speech: words and characters concatenated.
// Expected: accuracy 93.35 on test, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
