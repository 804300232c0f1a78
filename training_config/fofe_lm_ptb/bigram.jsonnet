// Bigram network on the Penn Treebank: perplexity 176 in Table 4.1 of the thesis.
(import '../lib/fofe_lm_ptb.libsonnet') { alpha:: 0 }
