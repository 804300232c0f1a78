// A language model of English by the FOFE encoding of second order: the perplexity and the next words of a text, for
// the zoo. DATA names the folder of WikiText-2. The thesis's L2 term, batches of 200 words, and fewer sentences than in
// docs/results/fofe_lm.md.
(import '../fofe_lm/wikitext2/base.libsonnet') + (import '../fofe_lm/rows.libsonnet').fofe_2 {
  training_instances:: 10001,
  constant_epochs:: 2,
  words_per_batch:: 200,
  weight_decay:: 4e-4,
  epochs:: 15,
  // It was trained in float32.
  trainer+: { callbacks: ['reproducible', 'final_report'] },
}
