// Seq2Biseq on the English Web Treebank: docs/results/seq2biseq.md.
// A run takes 8 to 10 minutes of a core.
{
  config: 'training_config/seq2biseq/ud_english_ewt/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: [
    'seq2biseq_le',
    'forward_only',
    'bigru_crf',
    'last_characters',
    'seq2biseq_le_glove',
    'last_characters_glove',
    'last_characters_minilm',
    'bigru_crf_glove',
    'bigru_crf_last_characters',
    'bigru_crf_last_characters_glove',
    'bigru_crf_last_characters_minilm',
  ],
  seeds: 1,
  // For the rows with _glove and _minilm.
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' } + import '../minilm.libsonnet',
  evaluations: { test: { data: 'ud_english_ewt/en_ewt-ud-test.conllu.gz' } },
  metric: 'accuracy',
  reference: 'seq2biseq_le',
}
