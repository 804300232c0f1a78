// Seq2Biseq with two optimisers, spoken language understanding, small, trained on segments of the sentences in the
// repository.
// Paper: Dinarelli and Grobol, "Seq2Biseq: Bidirectional Output-wise Recurrent Neural Networks for Sequence Modelling"
// (2019).
// Differs from the paper in sizes, dropout and optimisers, Adam in place of SGD; ../paper.jsonnet has the paper's
// settings.
// Expected: F1 93.1 and concept error rate 7.7 on dev, 91.6 and 7.3 on test, in half a minute on one CPU core.
(import 'base.libsonnet') {
  task:: 'slots',
  two_optimizers:: true,
  segment_length:: 8,
  epochs:: 15,
  corpus:: { type: 'slot_filling' },
  train_data_path: 'fixtures/slot_filling/train',
  validation_data_path: 'fixtures/slot_filling/dev',
}
