// Attending to characters on BC5CDR, chemicals and diseases in abstracts: docs/results/char_attention_biomedical.md.
// A run takes 3 to 18 minutes of a core, as estimated from BC2GM's.
(import 'char_bc2gm.jsonnet') {
  config: 'training_config/char_attention/bc5cdr/%s.jsonnet',
  // All vectors of GloVe, since glove.corpora.txt lacks words of these corpora.
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'bc5cdr/test.txt.gz' } },
}
