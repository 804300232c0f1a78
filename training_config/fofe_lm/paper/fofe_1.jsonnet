// FOFE of first order on the Penn Treebank: perplexity 116 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').fofe_1
