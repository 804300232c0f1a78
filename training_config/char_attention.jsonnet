// Attending to characters, named entities, small, trained on the treebank in the repository.
// Paper: Rei, Crichton and Pyysalo, "Attending to Characters in Neural Sequence Labeling Models" (2016).
// Differs from the paper in size, word vectors, dropout and optimiser; char_attention/paper.jsonnet has the paper's
// settings.
// Expected: F1 87.4 on dev, 71.0 on test, in half a minute on one CPU core.
(import 'char_attention/small/base.libsonnet') + (import 'lib/seed.libsonnet') + {
  task:: 'ner',
  // Names have rare words: with a lower count the model learns the names of train by heart.
  word_min_count:: 4,
  corpus:: { type: 'conllu', proper_names: true },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
} + import 'lib/words.libsonnet'
