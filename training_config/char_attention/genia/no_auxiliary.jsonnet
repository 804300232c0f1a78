// GENIA, parts of speech in abstracts: attention to words and characters, without the loss that draws
// the vectors of characters to those of words.
(import 'base.libsonnet') { auxiliary_weight:: 0 }
