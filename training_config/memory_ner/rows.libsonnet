// The rows of document NER.
local sentences(encoder) = { reads:: 'sentences', encoder:: { type: encoder } };
// Encoders of sentences in Table 2 of the paper, with the hidden sizes of the papers that they come from, and with the
// dropout on the input that the memory has.
local published(encoder) = sentences(encoder) { hidden_size:: 300, input_dropout:: true };

{
  // Table 2: one direction or both, a window of five words, and tags by a softmax or by a CRF.
  lstm: published('lstm') { distribution:: 'softmax' },
  bilstm: published('bilstm') { distribution:: 'softmax' },
  lstm_crf: published('lstm'),
  bilstm_crf: published('bilstm'),
  conv_crf: published('convolution'),
  // Table 1 has it, for another task: tags by a softmax at each word (equation 13), without a CRF.
  memnet: { distribution:: 'softmax' },

  // A memory of the document that is never read, so that only a GRU over the document informs the CRF; read once, as in
  // the paper; read more often.
  hops_0: { num_hops:: 0 },
  hops_1: {},
  hops_2: { num_hops:: 2 },
  hops_3: { num_hops:: 3 },
  // Not from the paper: a memory of the sentence, and one that is never read; a BiLSTM-CRF whose outputs have the size of
  // the memory's, and one with as many parameters as the memory, both for a memory of size 200.
  sentence_memory: { reads:: 'sentences' },
  sentence_hops_0: self.hops_0 { reads:: 'sentences' },
  bilstm_crf_as_wide: sentences('bilstm') { hidden_size:: 100, input_dropout:: true },
  bilstm_crf_as_large: sentences('bilstm') { hidden_size:: 288, input_dropout:: true },
}
