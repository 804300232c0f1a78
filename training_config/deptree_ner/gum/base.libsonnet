// Dependency-aware NER on the GUM treebank: gold trees, the outermost entities with a proper name as their head, and
// fixed vectors from the file WORD_VECTORS, GloVe's of 100 dimensions. All rows have the same sizes, learning rate and
// dropout. Dropout is before and behind the encoder, not in it, as in crf_tagger.
local data = import '../../lib/data.libsonnet';
local fixed_vectors = import '../../lib/fixed_vectors.libsonnet';
local seed = import '../../lib/seed.libsonnet';
local deptree = import '../base.libsonnet';

deptree + fixed_vectors + data.gum_proper_names + seed {
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
}
