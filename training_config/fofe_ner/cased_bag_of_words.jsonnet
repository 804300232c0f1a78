// Table 5.1, row 6: case-sensitive bag of words of the fragment.
// Published test precision 85.41, recall 74.95, F1 79.84.
(import '../fofe_ner_paper.jsonnet') {
  codes:: { cased: ['bag_of_words'] },
  fofe_characters:: false,
  character_cnn:: false,
}
