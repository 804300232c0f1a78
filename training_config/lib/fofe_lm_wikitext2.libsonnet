// Language models of WikiText-2, which differ in what they know of the history. Each paragraph is a sentence, the 10,000 most
// frequent words are predicted, and of the training data the first 10,000: sizes for a CPU. Adam, since SGD with momentum
// diverged at a rate of 0.256. The environment variable SEED is the seed. RESULTS.md has the commands.
local seed = std.parseInt(std.extVar('SEED'));

(import 'fofe_lm.libsonnet') {
  hidden_sizes:: [200, 200],
  loss:: { type: 'adaptive_softmax', cutoffs: [1000, 4000] },
  words_per_batch:: 1000,
  epochs:: 4,

  learning_rate:: 4e-3,
  trainer+: { optimizer: { type: 'adam', lr: $.learning_rate } },

  dataset_reader+: { max_instances: 10000 },
  train_data_path: '../shared/data/wikitext2/wiki.train.tokens.gz',
  validation_data_path: '../shared/data/wikitext2/wiki.valid.tokens.gz',
  test_data_path: '../shared/data/wikitext2/wiki.test.tokens.gz',
  evaluate_on_test: true,
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
