// Attending to characters on NCBI-disease, diseases in abstracts: docs/results/char_attention_biomedical.md.
// A run takes 3 to 18 minutes of a core, as estimated from BC2GM's.
(import 'char_bc5cdr.jsonnet') {
  config: 'training_config/char_attention/ncbi_disease/%s.jsonnet',
  evaluations: { test: { data: 'ncbi_disease/test.txt.gz' } },
}
