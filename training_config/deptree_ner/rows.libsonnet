// The rows of dependency-aware NER, as differences from the full model: values of the option row.
local plain = { residual:: false, relative:: false, global:: false };
// One layer, without residual connections and attentions.
local blstm = plain { semantic_layers:: 1, syntactic_layers:: 0 };
local tlstm = plain { semantic_layers:: 0, syntactic_layers:: 1 };
local inside = ['semantic', 'syntactic', 'relative_attention'];

{
  // Table 2 of the paper, its baselines: one layer over words, and over words with one feature or both.
  blstm_word: blstm { features:: [] },
  blstm_word_pos: blstm { features:: ['pos'] },
  blstm_word_pos_dep: blstm,
  tlstm_word: tlstm { features:: [] },
  tlstm_word_pos: tlstm { features:: ['pos'] },
  tlstm_word_pos_dep: tlstm,

  // Table 2, stacked layers: of BiLSTMs or of Tree-LSTMs, without and with residual connections.
  stacked_blstm: plain { semantic_layers:: 2, syntactic_layers:: 0 },
  stacked_blstm_residual: { semantic_layers:: 2, syntactic_layers:: 0, relative:: false, global:: false },
  stacked_tlstm: plain { semantic_layers:: 0, syntactic_layers:: 2 },
  stacked_tlstm_residual: { semantic_layers:: 0, syntactic_layers:: 2, relative:: false, global:: false },

  // Table 2, attention: relative, global or both.
  blstm_ra: { syntactic_layers:: 0, global:: false },
  blstm_ga: { syntactic_layers:: 0, relative:: false },
  blstm_ra_ga: { syntactic_layers:: 0 },
  tlstm_ra: { semantic_layers:: 0, global:: false },
  tlstm_ga: { semantic_layers:: 0, relative:: false },
  tlstm_ra_ga: { semantic_layers:: 0 },
  tlstm_blstm_ra_ga: {},

  // Not from the paper: the full model without a part, or with two layers in each stack, as many as in the paper.
  words_only: { features:: [] },
  no_residual: { residual:: false },
  no_relative: { relative:: false },
  no_global: { global:: false },
  stacked: { semantic_layers:: 2, syntactic_layers:: 2 },
  // Not from the paper: other places of the global attention. Under equation 4, as in the paper, a norm cancels its
  // weights. In a residual connection without the norm, (1 + a_i) h_i, they count; this is the default except in the
  // paper's settings. Outside both, a_i h_i of equation 3 without changes.
  global_inside_norm: { norm:: true },
  global_without_norm: { norm:: inside },
  global_outside: { residual:: inside },
  // Not from the paper: the query of the global attention has the final states of both directions of the BiLSTM. The
  // paper has h_n, the state of the last word.
  query_final: { query:: 'final' },
  // Not from the paper, which leaves it open: the query is h_n and h_root before the residual connection and the norm.
  query_from_states: { query_from:: 'states' },
}
