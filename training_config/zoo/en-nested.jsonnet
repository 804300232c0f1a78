// FOFE-NER for nested entities, named or not, of ten types in English prose, for the zoo: GUM's types, and LitBank's as
// three of them, of the others of which LitBank says nothing. DATA names the folder of both corpora, WORD_VECTORS a file
// of GloVe's vectors of 100 numbers, of which the 40,000 most frequent words are kept, in 8 bits.
(import '../fofe_ner/free_data.libsonnet').gum + (import '../fofe_ner/rows.libsonnet').lexical
+ (import '../lib/data.libsonnet').partial_mixture(import '../lib/nested_entities.libsonnet') + {
  known_words:: 40000,
  epochs:: 15,

  model+: { features+: { uncased+: { embedder+: { bits: 8 } } } },
}
