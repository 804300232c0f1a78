// Word vectors learned with the task: a vector for each word that occurs often enough, and a CNN over its characters.
{
  word_vector_size:: error 'word_vector_size:: is missing',  // size of the vector of a word
  character_filters:: error 'character_filters:: is missing',  // filters for each of ngram_sizes in the character CNN
  character_size:: 16,  // size of the vector of a character
  ngram_sizes:: [3],  // widths of these filters
  word_min_count:: 1,  // words that occur less often in the training data are unknown

  // Size of all vectors of a word together.
  word_size:: self.word_vector_size + self.character_filters * std.length(self.ngram_sizes),
  word_indexers:: {
    tokens: { type: 'single_id', lowercase_tokens: true },
    // A filter does not fit into less than its width.
    characters: { type: 'cached_characters', min_padding_length: std.foldl(std.max, $.ngram_sizes, 3) },
  },
  word_embedders:: {
    tokens: { type: 'embedding', embedding_dim: $.word_vector_size },
    characters: {
      type: 'distinct_characters',
      embedding: { embedding_dim: $.character_size, vocab_namespace: 'token_characters' },
      encoder: {
        type: 'cnn',
        embedding_dim: $.character_size,
        num_filters: $.character_filters,
        ngram_filter_sizes: $.ngram_sizes,
        conv_layer_activation: 'relu',
      },
    },
  },
  vocabulary: { min_count: { tokens: $.word_min_count } },
}
