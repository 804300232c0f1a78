// Fixed word vectors of 100 numbers, from the file that WORD_VECTORS names, in place of learned ones.
{
  word_size:: 100,
  word_vectors:: import '../lib/word_vectors.libsonnet',
}
