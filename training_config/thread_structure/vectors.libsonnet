// Added to a configuration. The words of posts then have fixed vectors from the file WORD_VECTORS, GloVe's of 100
// dimensions; the paper learns vectors of 20. Only words that the file lacks have learned vectors.
local file = import '../lib/word_vectors.libsonnet';

{
  word_vector_size:: 100,

  vocabulary+: { pretrained_files: { tokens: file }, min_pretrained_embeddings: { tokens: -1 } },
  model+: {
    text_field_embedder: {
      token_embedders: {
        tokens: { type: 'fixed_embedding', embedding_dim: $.word_vector_size, pretrained_file: file },
      },
    },
  },
}
