// FOFE-NER for nested entities, named or not, of ten types in English prose, for the zoo: GUM's types, and LitBank's as
// three of them, of the others of which LitBank says nothing. DATA names the folder of both corpora, WORD_VECTORS a file
// of GloVe's vectors of 100 numbers, of which the 25,000 most frequent words are kept, in 4 bits.
(import '../fofe_ner/free_data.libsonnet').gum + (import '../fofe_ner/encoded.libsonnet') {
  encoder_size:: 150,
  word_embedders+:: { tokens+: { unknown_rate: 0.1, bits: 4 } },
  vocabulary+: { min_pretrained_embeddings: { tokens: 25000 } },
} + (import '../lib/data.libsonnet').partial_mixture(import '../lib/nested_entities.libsonnet') + {
  hidden_size:: 256,
  overlap_rate:: 0.36,
  disjoint_rate:: 0.09,
  levels:: std.makeArray(4, function(level) { type: 'longest_first', threshold: 0.4, merge_adjacent: false }),
  epochs:: 15,

  model+: { none_bias: -0.5 },
  trainer+: { moving_average: { type: 'exponential', decay: 0.999 } },
}
