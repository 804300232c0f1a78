// GENIA, parts of speech in abstracts: attention to words and characters.
import 'base.libsonnet'
