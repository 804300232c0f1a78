// Attending to characters on CRAFT, six types in full papers: docs/results/char_attention_biomedical.md.
// A run takes 3 to 18 minutes of a core, as estimated from BC2GM's.
(import 'char_bc5cdr.jsonnet') {
  config: 'training_config/char_attention/craft/%s.jsonnet',
  evaluations: { test: { data: 'craft/test.txt.gz' } },
}
