// 4-gram network on WikiText-2.
(import '../lib/fofe_lm_wikitext2.libsonnet') { order:: 3, alpha:: 0 }
