// Trigram network on the Penn Treebank: perplexity 131 in Table 4.1 of the thesis.
(import '../lib/fofe_lm_ptb.libsonnet') { order:: 2, alpha:: 0 }
