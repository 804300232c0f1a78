// Attending to characters on BC5CDR, chemicals and diseases in abstracts: docs/results/char_attention.md.
// A run takes about 5 minutes of a core for `word`, 15 for the other rows.
(import 'char_bc2gm.jsonnet') {
  config: 'training_config/char_attention/bc5cdr/%s.jsonnet',
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'bc5cdr/test.txt.gz' } },
}
