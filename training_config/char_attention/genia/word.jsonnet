// GENIA, parts of speech in abstracts: words alone.
// Expected: accuracy 97.22 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
