// GENIA, parts of speech in abstracts: attention to words and characters, without the loss that draws character vectors
// towards word vectors.
(import 'base.libsonnet') { auxiliary_weight:: 0 }
