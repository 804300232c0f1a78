// Dependency-aware NER, small: it learns its word vectors and trains on the treebank in the repository.
// Paper: Aguilar and Solorio, "Dependency-Aware Named Entity Recognition with Relative and Global Attentions" (2019).
// Differs from the paper in size, word vectors and optimiser; deptree_ner/paper.jsonnet has the paper's settings.
// Expected: F1 96.3 on dev, 87.9 on test with one thread, OMP_NUM_THREADS=1, within a minute. Two threads compute sums
// in another order: 94.4 and 89.7.
local deptree = import 'deptree_ner/base.libsonnet';
local learned_words = import 'lib/learned_words.libsonnet';
local seed = import 'lib/seed.libsonnet';

deptree + learned_words + seed {
  word_vector_size:: 32,
  character_filters:: 32,
  word_min_count:: 2,
  layers:: 1,
  epochs:: 40,

  corpus:: { type: 'conllu', proper_names: true },
  parser:: { treebank: 'train_data_path' },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
  trainer: {
    num_epochs: $.epochs,
    patience: 10,
    validation_metric: '+f1',
    optimizer: { type: 'adam', lr: 3e-3, parameter_groups: $.regularised },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
} + import 'lib/words.libsonnet'
