// The rows of Seq2Biseq.

// Fixed word vectors of 100 numbers, from the file WORD_VECTORS, in place of learned ones.
local glove = { word_vector_size:: 100, word_vectors:: import '../lib/word_vectors.libsonnet' };

{
  // The paper's: both decoders, with and without lexical information; the left-to-right decoder alone, with it; a CRF.
  seq2biseq_le: { variant:: 'seq2biseq_le' },
  seq2biseq: { variant:: 'seq2biseq' },
  forward_only: { variant:: 'forward_only' },
  bigru_crf: { variant:: 'bigru_crf' },
  // The first form of the paper's character encoder (section 3.1): the last states of the GRU in place of the sum of all.
  last_characters: { character_encoder:: 'gru' },
  // An optimiser for each loss.
  two_optimizers: { two_optimizers:: true },
  // LSTM+CRF, which the paper cites from Ma and Hovy (2016): words of 100, a CNN of 30 filters of width 3 over
  // characters of 30, an LSTM of 200 in each direction and a CRF, dropout 0.5. It is trained like the other rows on
  // WSJ, with Adam in batches of 100 (the cited paper: SGD in batches of 10); dropout is after the CNN, not before it.
  lstm_crf: {
    variant:: 'bigru_crf',
    word_encoder:: 'bilstm',
    character_encoder:: 'cnn',
    word_vector_size:: 100,
    character_size:: 30,
    character_hidden_size:: 30,
    crf_hidden_size:: 200,
  },
  lstm_crf_glove: self.lstm_crf + glove,

  // Not from the paper: controls for two_optimizers, which takes two steps per batch, and whose losses have total
  // weights of 0.5 for the forward decoder and 1.5 for the backward decoder.
  one_optimizer_twice_the_rate: {
    optimizer:: { type: 'fused_adam', lr: 2e-3, decoupled_weight_decay: true },
  },
  one_optimizer_weighted: { backward_weight:: 1.5 },
  // Not from the paper: the backward decoder also reads its own labels in training; fixed vectors.
  scheduled_sampling: { scheduled_sampling:: true },
  seq2biseq_le_glove: self.seq2biseq_le + glove,
  last_characters_glove: self.last_characters + glove,
  forward_only_last_characters_glove: self.forward_only + self.last_characters_glove,
  bigru_crf_glove: self.bigru_crf + glove,
  bigru_crf_last_characters: self.bigru_crf + self.last_characters,
  bigru_crf_last_characters_glove: self.bigru_crf_last_characters + glove,
}
