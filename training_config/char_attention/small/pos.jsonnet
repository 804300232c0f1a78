// Attending to characters, parts of speech, small, trained on the treebank in the repository.
// Paper: Rei, Crichton and Pyysalo, "Attending to Characters in Neural Sequence Labeling Models" (2016).
// Differs from the paper in size, word vectors, dropout and optimiser; ../paper/pos.jsonnet has the paper's settings.
// Expected: accuracy 97.8 on dev, 96.3 on test, in half a minute on one CPU core.
(import 'base.libsonnet') {
  task:: 'pos',
  corpus:: { type: 'conllu' },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
}
