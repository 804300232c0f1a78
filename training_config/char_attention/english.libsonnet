// Attending to characters on free English data, with the paper's sizes except for words: fixed vectors from the file
// WORD_VECTORS, GloVe's of 100 dimensions (the paper tunes the vectors of Google News).
// Differs from the paper in Adam, in place of AdaDelta, and in dropout, which the paper does not have. As in all
// configurations here, the CRF decodes only well-formed tags; the authors' CRF decodes any tags.
(import 'free_data.libsonnet') {
  word_vectors:: import '../lib/word_vectors.libsonnet',
  fixed_words:: true,
  lowercase_words:: self.fixed_words,
  character_embedding_size:: 50,
  character_hidden_size:: 200,
  hidden_size:: 200,
  input_dropout:: 0.5,
  dropout:: 0.5,
  patience:: 4,
  optimizer:: { type: 'fused_adam', lr: 2e-3 },
}
