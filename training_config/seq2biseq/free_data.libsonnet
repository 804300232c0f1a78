// Seq2Biseq on free data, with the sizes, dropout and initial embeddings of the paper. Its data sets take plain gradient
// descent and Adam, without a rate; here all rows have Adam, batches of 32 and as many updates as each other.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  embedding_initializer:: { type: 'normal', std: 1.0 },  // N(0, 1), PyTorch's
  batch_size:: 32,
  optimizer:: { type: 'fused_adam', lr: 1e-3 },
  weight_decay:: 1e-6,
}
