// Word vectors from a text file, tuned with the task, and a CNN over characters. WORD_VECTORS names the file. All of
// its words have their vectors, also words that the training data does not have. The gradients are sparse, so that a
// step costs no more with a larger file; they need a suitable optimiser, such as AllenNLP's dense_sparse_adam.
// Tuned vectors move away from the vectors of words that only other data has; fixed_vectors.libsonnet is better if
// these words matter.
local fixed_vectors = import 'fixed_vectors.libsonnet';

fixed_vectors {
  word_embedders+:: { tokens+: { type: 'embedding', sparse: true } },
}
