// FOFE language model of first order on WikiText-2.
(import '../lib/fofe_lm_wikitext2.libsonnet') { order:: 1 }
