// The tagger of ner.jsonnet on free data, for comparison: a BiLSTM-CRF with the same word vectors, which finds the outermost
// entities. lexical_features:: gives it the six features of each word's form, too.
(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') {
  local config = self,
  lexical_features:: false,
  local features = { [if config.lexical_features then 'lexical_features']: { type: 'lexical_features' } },

  corpus:: error 'corpus:: is missing',
  word_size+:: if config.lexical_features then 6 else 0,
  word_indexers+:: features {
    local words = super.tokens,
    tokens: if words.type == 'zero_digits' then words else { type: 'zero_digits', indexer: words },
  },
  word_embedders+:: features,
  dataset_reader+: { corpus: config.corpus },
}
