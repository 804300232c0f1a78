// The differences between the authors' published program, liufly/mecrf, and the paper: the program encodes the current
// input from the sentence alone; the output memory is the input memory; the memory has the first 500 words; two linear
// layers score the tags; the CRF has no scores of first and last tags and decodes ill-formed tags, too; there is
// neither dropout nor early stopping.
// Differs from the program in batches (two documents), in clipping (the norm of all gradients, not of each), in
// selection (the best of all epochs, not of every tenth), in the initial GRUs (PyTorch's), and in reading the whole
// document (the program drops everything after 500 words).
// Published: only the paper's test F1 89.5.
(import '../paper.jsonnet') {
  local size = self.input_size,
  hidden_size:: size,
  dropout:: 0.0,
  patience:: null,
  distribution:: { type: 'crf', include_start_end_transitions: false, constrain_decoding: false },
  model+: {
    encoder+: { shared_memory: true, window: { size: 500, kept: 'first' }, current_input: 'sentence' },
    head+: { feedforward: { num_layers: 1, hidden_dims: 64, activations: 'linear' } },
    initializer: { regexes: [['projection|feedforward', { type: 'normal', mean: 0, std: 0.1 }]] },
  },
}
