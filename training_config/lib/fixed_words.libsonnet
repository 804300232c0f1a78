// Fixed word vectors from a text file, looked up by the lower-cased word. WORD_VECTORS names the file. A word without a
// vector has the one of unknown_word::, a word of the file.
{
  word_size:: 50,
  unknown_word:: error 'unknown_word:: is missing',

  local file = import 'word_vectors.libsonnet',
  word_indexers:: { tokens: { type: 'single_id', lowercase_tokens: true } },
  word_embedders:: {
    tokens: { type: 'embedding', embedding_dim: $.word_size, pretrained_file: file, trainable: false },
  },
  vocabulary: {
    pretrained_files: { tokens: file },
    min_pretrained_embeddings: { tokens: -1 },  // all of them, for what the model will read one day
    only_include_pretrained_words: true,
    oov_token: $.unknown_word,
  },
}
