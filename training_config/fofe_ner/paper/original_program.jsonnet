// Table 5.1, row 14, with the original program's forgetting factor of characters.
(import '../paper.jsonnet') { character_alpha:: 0.8 }
