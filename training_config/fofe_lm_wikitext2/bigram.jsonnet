// Bigram network on WikiText-2.
(import '../lib/fofe_lm_wikitext2.libsonnet') { alpha:: 0 }
