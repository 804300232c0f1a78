// Dependency-aware NER on free data: gold trees; for English, fixed vectors from the file WORD_VECTORS, GloVe's of 100
// dimensions, for other languages learned ones. All rows have the same sizes, learning rate and dropout. Dropout is
// before and behind the encoder, not in it, as in crf_tagger.
local data = import '../lib/data.libsonnet';
local over(words) = (import 'base.libsonnet') + words + (import '../lib/seed.libsonnet') {
  character_filters:: 30,
  feature_size:: 25,
  layers:: 1,
  dropout:: 0.4,
  batch_size:: 10,
  learning_rate:: 0.01,  // learning rate of gradient descent with momentum in the first epoch; it falls to a fifth
  epochs:: 30,  // number of epochs

  model+: { input_dropout: { p: $.dropout }, encoder+: { dropout: 0.0 }, loss_reduction: 'sentence' },
  trainer: {
    num_epochs: $.epochs,
    validation_metric: '+f1',
    optimizer: { type: 'sgd', lr: $.learning_rate, momentum: 0.9, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.95, 30 / $.epochs) },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
};
local english = over(import '../lib/fixed_vectors.libsonnet');
local learned = over(import '../lib/learned_words.libsonnet') { word_vector_size:: 100, word_min_count:: 2 };
// Names of three types. By gradient descent, the full model would need more epochs than the others. The rate falls to
// zero, and the evaluated weights are moving averages, so that one epoch differs little from the next.
local names = {
  local config = self,
  batch_size:: 32,
  learning_rate:: 0.002,
  epochs:: 12,
  trainer+: {
    optimizer: { type: 'fused_adam', lr: config.learning_rate, parameter_groups: config.regularised },
    learning_rate_scheduler: { type: 'linear_decay' },
    moving_average: { type: 'exponential', decay: 0.998 },
  },
};

{
  // The outermost entities with a proper name as their head.
  gum: english + data.gum_proper_names,
  uner_ewt: english + data.uner_ewt + names + import '../lib/words.libsonnet',
  // The same with the vectors of MiniLM, frozen, in the place of GloVe's and of characters.
  uner_ewt_minilm: self.uner_ewt { words:: 'transformer', transformer_size:: 384 },
  // Portuguese and Slovak.
  uner_pt: learned + data.uner_pt + names,
  uner_sk: learned + data.uner_sk + names,
}
