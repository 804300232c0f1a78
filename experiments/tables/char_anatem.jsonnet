// Attending to characters on AnatEM, anatomy in biomedical text: docs/results/char_attention.md.
// A run takes about 5 minutes of a core for `word`, 15 for the other rows.
(import 'char_bc2gm.jsonnet') {
  config: 'training_config/char_attention/anatem/%s.jsonnet',
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'anatem/test.txt.gz' } },
}
