// The settings of the paper on attending to characters, as they are, on the parts of speech of GENIA:
// docs/results/char_attention_biomedical.md.
(import 'char_paper_bc2gm.jsonnet') {
  corpus:: 'genia_pos',
  evaluations: { test: { data: 'genia/genia-pos.test.tsv.gz' } },
  metric: 'accuracy',
}
