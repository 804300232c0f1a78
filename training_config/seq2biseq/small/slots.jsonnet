// Seq2Biseq with two optimisers, spoken language understanding, small, trained on segments of the sentences in the
// repository.
// Paper: Dinarelli and Grobol, "Seq2Biseq: Bidirectional Output-wise Recurrent Neural Networks for Sequence Modelling"
// (2019).
// Differs from the paper in sizes, dropout and optimisers, Adam in place of SGD; ../paper.jsonnet has the paper's
// settings.
// Expected: F1 96.1 and concept error rate 3.8 on dev, 91.7 and 7.3 on test, within a minute on one CPU core.
(import 'base.libsonnet') {
  task:: 'slots',
  two_optimizers:: true,
  segment_length:: 8,
  epochs:: 15,
  corpus:: { type: 'slot_filling' },
  train_data_path: 'fixtures/slot_filling/train',
  validation_data_path: 'fixtures/slot_filling/dev',
}
