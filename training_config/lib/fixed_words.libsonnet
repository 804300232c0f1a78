// Word vectors from a text file, which stay as they are, and nothing of characters. WORD_VECTORS names the file, whose words
// all have a vector. A word that it lacks has that of unknown_word::, a word of the file, or one that is trained.
local file = import 'word_vectors.libsonnet';

{
  word_size:: 100,
  unknown_word:: null,

  word_indexers:: { tokens: { type: 'single_id', lowercase_tokens: true } },
  word_embedders:: {
    tokens: { type: 'fixed_embedding', embedding_dim: $.word_size, pretrained_file: file },
  },
  vocabulary: {
    pretrained_files: { tokens: file },
    min_pretrained_embeddings: { tokens: -1 },
    only_include_pretrained_words: true,
    [if $.unknown_word != null then 'oov_token']: $.unknown_word,
  },
}
