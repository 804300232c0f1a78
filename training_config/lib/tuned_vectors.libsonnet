// Word vectors from a text file, tuned with the task, and a CNN over characters. WORD_VECTORS names the file, whose words
// all have a vector, also those that the training data does not have. The gradients are sparse, so that a step costs no
// more for a larger file: the optimiser must be one for them, such as AllenNLP's dense_sparse_adam.
// What is tuned moves away from the words that only other data has; fixed_vectors.libsonnet is better where these count.
local fixed_vectors = import 'fixed_vectors.libsonnet';

fixed_vectors {
  word_embedders+:: { tokens+: { type: 'embedding', sparse: true } },
}
