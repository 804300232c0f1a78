// English Web Treebank, the language-specific parts of speech: words alone.
// Expected: accuracy 91.22 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
