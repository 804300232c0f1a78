// Seq2Biseq on free data, with the sizes, dropout and initial embeddings of the paper. In the paper, the optimiser
// depends on the data set: plain gradient descent, or Adam without a given rate. Here all rows have Adam, batches of 32
// and the same number of updates.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  embedding_initializer:: { type: 'normal', std: 1.0 },  // N(0, 1), PyTorch's default
  batch_size:: 32,
  optimizer:: { type: 'fused_adam', lr: 1e-3 },
  weight_decay:: 1e-6,
}
