// FOFE-NER on WNUT-17, features of Table 5.1 among the rows: docs/results/fofe_ner.md.
// Minutes of one core that a run takes, 30 epochs: FOFE-NER 12, single features less; taggers 5.
local features = [
  'uncased_context_including',
  'uncased_context_excluding',
  'uncased_bag_of_words',
  'cased_context_including',
  'cased_context_excluding',
  'cased_bag_of_words',
  'fofe_characters',
  'character_cnn',
  'uncased',
  'cased',
];
local words = ['words', 'words_fofe_characters', 'words_character_cnn'];

{
  config: 'training_config/fofe_ner/wnut17/%s.jsonnet',
  rows: {
    all: {},
    lexical: {},
    bilstm_crf: {},
    bilstm_crf_lexical: {},
  } + { [row]: { seeds: 1 } for row in features + words + ['tuned', 'sgd'] },
  order: features + words + ['all', 'lexical', 'tuned', 'sgd', 'bilstm_crf', 'bilstm_crf_lexical'],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: {
    test: { data: 'wnut17/emerging.test.annotated' },
    test_tuned: { data: 'wnut17/emerging.test.annotated', thresholds: 'wnut17/emerging.dev.conll' },
  },
  metric: 'f1',
  reference: 'bilstm_crf_lexical',
}
