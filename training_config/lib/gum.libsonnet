// Dependency-aware NER on the GUM treebank: gold trees, entities with a proper name as their head, the outermost ones.
// The environment variable SEED is the seed.
local deptree = import 'deptree_ner.libsonnet';
local learned_words = import 'learned_words.libsonnet';
local seed = std.parseInt(std.extVar('SEED'));

deptree + learned_words {
  word_vector_size:: 64,
  character_filters:: 32,
  word_min_count:: 2,
  semantic_layers:: 1,
  syntactic_layers:: 1,
  dropout:: 0.4,
  batch_size:: 32,
  learning_rate:: 1.5e-3,

  corpus:: { type: 'conllu', proper_names: true },
  train_data_path: '../shared/data/gum/train.conllu.gz',
  validation_data_path: '../shared/data/gum/dev.conllu.gz',
  trainer: {
    num_epochs: 14,
    patience: 5,
    validation_metric: '+f1',
    optimizer: { type: 'adam', lr: $.learning_rate, parameter_groups: $.regularised },
    grad_norm: 5.0,
    callbacks: ['reproducible'],
  },
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
