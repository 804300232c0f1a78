// Attending to characters, chunks, small, trained on the sentences in the repository;
// ../paper/chunking.jsonnet has the paper's settings.
// Expected: F1 93.3 on dev, 89.4 on test, in a quarter of a minute on one CPU core.
(import 'base.libsonnet') {
  task:: 'chunking',
  corpus:: { type: 'columns' },
  train_data_path: 'fixtures/chunking/train.txt',
  validation_data_path: 'fixtures/chunking/dev.txt',
}
