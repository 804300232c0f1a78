// Attending to characters on free English data, at the paper's sizes but that of words: the vectors of the file that
// WORD_VECTORS names, GloVe's of 100 dimensions, stay as they are, where the paper tunes those of Google News; where it
// is empty, as env.sh leaves it, vectors are learned. Adam in place of AdaDelta, and dropout, which the paper does not
// have. As in all configurations here, the CRF decodes well-formed tags only, where the authors' decodes any.
local file = std.extVar('WORD_VECTORS');

(import 'free_data.libsonnet') {
  word_vectors:: if file == '' then null else file,
  fixed_words:: file != '',
  lowercase_words:: self.fixed_words,
  character_embedding_size:: 50,
  character_hidden_size:: 200,
  hidden_size:: 200,
  input_dropout:: 0.5,
  dropout:: 0.5,
  patience:: 4,
  optimizer:: { type: 'fused_adam', lr: 2e-3 },
}
