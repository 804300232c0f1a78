// Dependency-aware NER on the GUM treebank: gold trees, entities with a proper name as their head, the outermost ones.
local data = import '../../lib/data.libsonnet';
local deptree = import '../base.libsonnet';
local learned_words = import '../../lib/learned_words.libsonnet';
local seed = import '../../lib/seed.libsonnet';

deptree + learned_words + data.gum_proper_names + seed {
  word_vector_size:: 64,
  character_filters:: 32,
  word_min_count:: 2,
  semantic_layers:: 1,
  syntactic_layers:: 1,
  query:: 'final',
  dropout:: 0.4,
  batch_size:: 32,
  learning_rate:: 1.5e-3,

  trainer: {
    num_epochs: 14,
    patience: 5,
    validation_metric: '+f1',
    optimizer: { type: 'adam', lr: $.learning_rate, parameter_groups: $.regularised },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
