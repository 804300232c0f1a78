// Fixed word vectors from a text file, without characters. WORD_VECTORS names the file, and all of its words have their
// vectors. Other words have the vector of unknown_word::, a word of the file, or a trained vector.
local file = import 'word_vectors.libsonnet';

{
  word_vector_size:: 100,  // size of the vectors in the file
  word_size:: self.word_vector_size,
  unknown_word:: null,  // the word of the file whose vector other words have; null: a trained vector

  word_indexers:: { tokens: { type: 'single_id', lowercase_tokens: true } },
  word_embedders:: {
    tokens: { type: 'fixed_embedding', embedding_dim: $.word_vector_size, pretrained_file: file },
  },
  vocabulary: {
    pretrained_files: { tokens: file },
    min_pretrained_embeddings: { tokens: -1 },
    only_include_pretrained_words: true,
    [if $.unknown_word != null then 'oov_token']: $.unknown_word,
  },
}
