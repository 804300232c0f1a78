// GENIA, parts of speech in abstracts: attention to words and characters.
// Expected: accuracy 98.37 on test, one seed.
import 'base.libsonnet'
