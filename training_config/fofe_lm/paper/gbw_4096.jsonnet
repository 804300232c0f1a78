// The larger model of Table 4.3: the Google Billion Word corpus with its about 800,000 words that occur at least three
// times, noise contrastive estimation and a compression layer.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 4.2.3.
// Differs from the thesis in the number of epochs and the size of batches, which the thesis does not give.
// Expected: perplexity 43.5 on test (Table 4.3), twelve days on one GPU of 2015; not measured here.
(import 'large.libsonnet') {
  order:: 3,
  word_size:: 256,
  hidden_sizes:: [4096, 4096, 4096],
  compression_size:: 720,
  vocabulary_size:: null,
  min_count:: 3,
  head:: { type: 'nce', num_noise: 4096, ln_z: 1.0, sparse: true },
}
