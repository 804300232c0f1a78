// LSTM on the Penn Treebank, with as many parameters as FOFE of second order: perplexity 117 in Table 4.1 of the thesis,
// by another author, with a network of another size and other training.
(import '../paper.jsonnet') + (import '../rows.libsonnet').lstm
