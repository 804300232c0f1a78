// Table 5.1, row 9: all case-insensitive features.
// Published test precision 90.11, recall 82.75, F1 86.28.
(import '../fofe_ner_paper.jsonnet') {
  codes:: { uncased: ['context_including', 'context_excluding', 'bag_of_words'] },
  fofe_characters:: false,
  character_cnn:: false,
}
