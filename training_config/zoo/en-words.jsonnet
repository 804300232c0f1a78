// A language model of English by the FOFE encoding of second order: the perplexity and the next words of a text, for the
// zoo. DATA names the folder of WikiText-2.
(import '../fofe_lm/wikitext2/base.libsonnet') + (import '../fofe_lm/rows.libsonnet').fofe_2
