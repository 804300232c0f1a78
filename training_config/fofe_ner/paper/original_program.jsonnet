// Table 5.1, row 14, with the forgetting factor of characters that the original program has.
(import '../paper.jsonnet') { character_alpha:: 0.8 }
