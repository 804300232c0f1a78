// Word vectors from the small ELMo (Peters et al., 2018), frozen; learned weights mix its layers. ELMO_OPTIONS and
// ELMO_WEIGHTS name its two files. Each batch starts from a zero state, not from the final state of the one before it.
{
  word_size:: 256,
  word_indexers:: { elmo: { type: 'elmo_characters' } },
  word_embedders:: {
    elmo: {
      type: 'stateless_elmo',
      options_file: std.extVar('ELMO_OPTIONS'),
      weight_file: std.extVar('ELMO_WEIGHTS'),
      dropout: 0.0,
    },
  },
}
