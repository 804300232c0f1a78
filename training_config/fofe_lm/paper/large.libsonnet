// The FOFE language model with large vocabularies (sections 4.2.2 and 4.2.3 of the thesis): plain SGD with sparse
// gradients, no regularisation, and text that is not loaded into memory as a whole. The environment variables
// TRAIN_TEXT and VALIDATION_TEXT name files with one sentence per line.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017).
// Differs from the thesis in the number of epochs and, for gbw, the size of batches, which the thesis does not give.
// None is measured here.
local large = (import '../base.libsonnet') + (import '../../lib/seed.libsonnet') {
  words_per_batch:: 500,
  learning_rate:: 0.1,
  momentum:: 0,
  weight_decay:: 0,
  sparse:: true,

  train_data_path: std.extVar('TRAIN_TEXT'),
  validation_data_path: std.extVar('VALIDATION_TEXT'),
  data_loader+: { max_instances_in_memory: 100000 },
};

{
  // Table 4.2: the Large Text Compression Benchmark in lower case, its 80,000 most frequent words, a softmax over all
  // of them.
  ltcb: large { order:: 2, word_size:: 200, hidden_sizes:: [400, 400], vocabulary_size:: 80000 },
  // Table 4.3: the Google Billion Word corpus with its about 800,000 words that occur at least three times, noise
  // contrastive estimation and a compression layer.
  gbw(size, compression_size): large {
    order:: 3,
    word_size:: 256,
    hidden_sizes:: [size, size, size],
    compression_size:: compression_size,
    vocabulary_size:: null,
    min_count:: 3,
    head:: { type: 'nce', num_noise: size, ln_z: 1.0, sparse: true },
  },
}
