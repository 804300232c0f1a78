// Word vectors from a text file (GloVe's form), tuned with the task, and a CNN over characters.
// WORD_VECTORS names the file; word_vector_size:: is the size of its vectors.
local learned_words = import 'learned_words.libsonnet';

learned_words {
  word_embedders+:: { tokens+: { pretrained_file: import 'word_vectors.libsonnet' } },
}
