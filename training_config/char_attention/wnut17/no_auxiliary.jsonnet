// WNUT-17, entities of six types in tweets and comments: attention to words and characters, without the loss that draws
// character vectors towards word vectors.
(import 'base.libsonnet') { auxiliary_weight:: 0 }
