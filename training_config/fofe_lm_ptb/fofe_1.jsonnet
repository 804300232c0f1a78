// FOFE of first order on the Penn Treebank: perplexity 116 in Table 4.1 of the thesis.
(import '../lib/fofe_lm_ptb.libsonnet') { order:: 1 }
