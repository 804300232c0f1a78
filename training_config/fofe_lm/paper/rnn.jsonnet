// Recurrent network of 400 units on the Penn Treebank: perplexity 123 in Table 4.1 of the thesis, by other authors, with
// another program and training.
(import '../paper.jsonnet') + (import '../rows.libsonnet').rnn
