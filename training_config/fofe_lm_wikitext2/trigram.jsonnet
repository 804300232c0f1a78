// Trigram network on WikiText-2.
(import '../lib/fofe_lm_wikitext2.libsonnet') { order:: 2, alpha:: 0 }
