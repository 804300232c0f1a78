// Language models of WikiText-2, which differ in their knowledge of the history. Each paragraph is a sentence. They
// predict the 10,000 most frequent words and train on the first 10,000 sentences: sizes for a CPU. Adam trains them,
// since SGD with momentum diverged at a rate of 0.256.
(import '../base.libsonnet') + (import '../../lib/data.libsonnet').wikitext2 + (import '../../lib/seed.libsonnet') {
  hidden_sizes:: [200, 200],
  head:: { type: 'adaptive_softmax', cutoffs: [1000, 4000] },
  words_per_batch:: 1000,
  epochs:: 4,

  learning_rate:: 4e-3,
  trainer+: { optimizer: { type: 'adam', lr: $.learning_rate } },

  dataset_reader+: { max_instances: 10000 },
  evaluate_on_test: true,
}
