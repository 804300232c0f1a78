// 5-gram network on the Penn Treebank: perplexity 114 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').five_gram
