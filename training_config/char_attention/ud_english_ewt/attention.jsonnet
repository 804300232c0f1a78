// English Web Treebank, the language-specific parts of speech: attention to words and characters.
// Expected: accuracy 93.84 on test, one seed.
import 'base.libsonnet'
