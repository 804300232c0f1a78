// GENIA, parts of speech in abstracts: words alone.
(import 'base.libsonnet') { combination:: 'word' }
