// GENIA, parts of speech in abstracts: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
