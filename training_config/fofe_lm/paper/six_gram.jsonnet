// 6-gram network on the Penn Treebank: perplexity 113 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').six_gram
