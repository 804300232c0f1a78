// 4-gram network on the Penn Treebank: perplexity 118 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').four_gram
