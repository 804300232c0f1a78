// GENIA, parts of speech in abstracts: words and characters concatenated.
// Expected: accuracy 98.34 on test, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
