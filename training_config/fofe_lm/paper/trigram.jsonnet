// Trigram network on the Penn Treebank: perplexity 131 in Table 4.1 of the thesis.
(import '../paper.jsonnet') + (import '../rows.libsonnet').trigram
