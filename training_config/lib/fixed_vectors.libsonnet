// Fixed word vectors from a text file, and a CNN over characters. WORD_VECTORS names the file. All of its words have
// their vectors, also words that the training data does not have. Frequent words that the file lacks have trained
// vectors. All other words share one unknown word, which is trained, too.
local file = import 'word_vectors.libsonnet';
local learned_words = import 'learned_words.libsonnet';

learned_words {
  word_vector_size:: 100,
  character_filters:: 50,
  character_size:: 25,
  word_min_count:: 4,

  word_embedders+:: {
    tokens: { type: 'fixed_embedding', embedding_dim: $.word_vector_size, pretrained_file: file },
  },
  vocabulary+: { pretrained_files: { tokens: file }, min_pretrained_embeddings: { tokens: -1 } },
}
