// A FOFE language model of second order, small, trained on the text in the repository.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), chapter 4.
// Differs from the thesis in sizes and weight decay; fofe_lm/paper.jsonnet has the thesis's settings.
// Expected: perplexity 18.1 on dev, 18.6 on test, within half a minute on one CPU core.
(import 'fofe_lm/base.libsonnet') + (import 'lib/seed.libsonnet') + {
  order:: 2,
  word_size:: 32,
  hidden_sizes:: [64, 64],
  vocabulary_size:: null,
  min_count:: 2,
  words_per_batch:: 100,
  epochs:: 15,
  learning_rate:: 0.256,
  weight_decay:: 1e-4,

  train_data_path: 'fixtures/text/train.txt',
  validation_data_path: 'fixtures/text/dev.txt',
}
