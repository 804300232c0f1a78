// Table 5.1, row 2: case-insensitive contexts without the fragment.
// Published test precision 53.98, recall 42.17, F1 47.35.
(import '../fofe_ner_paper.jsonnet') {
  codes:: { uncased: ['context_excluding'] },
  fofe_characters:: false,
  character_cnn:: false,
}
