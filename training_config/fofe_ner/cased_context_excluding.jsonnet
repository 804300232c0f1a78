// Table 5.1, row 5: case-sensitive contexts without the fragment.
// Published test precision 50.91, recall 42.46, F1 46.30.
(import '../fofe_ner_paper.jsonnet') {
  codes:: { cased: ['context_excluding'] },
  fofe_characters:: false,
  character_cnn:: false,
}
