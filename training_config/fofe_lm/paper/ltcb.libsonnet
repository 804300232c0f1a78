// Language models of Table 4.2: the Large Text Compression Benchmark in lower case, its 80,000 most frequent words, a
// softmax over all of them.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 4.2.2.
// Differs from the thesis in the number of epochs, which the thesis does not give. None is measured here.
(import 'large.libsonnet') {
  order:: 2,
  word_size:: 200,
  hidden_sizes:: [400, 400],
  vocabulary_size:: 80000,
}
