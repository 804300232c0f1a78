// The tagger of ner.jsonnet on free data, for comparison: a BiLSTM-CRF with the same word vectors, which finds the
// outermost entities. lexical_features:: adds the six lexical features of each word.
(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') {
  lexical_features:: false,
  corpus:: error 'corpus:: is missing',
  word_indexers+:: { local words = super.tokens, tokens: { type: 'zero_digits', indexer: words } },
  dataset_reader+: { corpus: $.corpus },
}
