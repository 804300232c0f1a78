// FOFE of second order on the Penn Treebank: perplexity 108 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').fofe_2
