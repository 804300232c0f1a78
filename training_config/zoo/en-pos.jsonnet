// A tagger of English parts of speech, of the Penn Treebank, by attention to words and characters, for the zoo. DATA
// names the folder of the English Web Treebank, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the
// 70,000 most frequent words are kept, in 4 bits. A share of words is unknown in training, so that their characters tell
// the tag.
(import '../char_attention/free_data.libsonnet').ud_english_ewt {
  epochs:: 25,
  patience:: null,

  vocabulary+: { min_pretrained_embeddings: { tokens: 70000 } },
  model+: { text_field_embedder+: { token_embedders+: { words+: { word_embedding+: { unknown_rate: 0.1, bits: 4 } } } } },
  trainer+: {
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 25 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
