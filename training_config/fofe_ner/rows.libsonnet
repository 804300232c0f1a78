// The rows of FOFE-NER.
local all_codes = ['context_including', 'context_excluding', 'bag_of_words'];
local words(codes) = { codes:: codes, fofe_characters:: false, character_cnn:: false };

{
  // The features of a span in each row of Table 5.1 of the thesis.
  uncased_context_including: words({ uncased: ['context_including'] }),
  uncased_context_excluding: words({ uncased: ['context_excluding'] }),
  uncased_bag_of_words: words({ uncased: ['bag_of_words'] }),
  cased_context_including: words({ cased: ['context_including'] }),
  cased_context_excluding: words({ cased: ['context_excluding'] }),
  cased_bag_of_words: words({ cased: ['bag_of_words'] }),
  fofe_characters: { codes:: {}, character_cnn:: false },
  character_cnn: { codes:: {}, fofe_characters:: false },
  uncased: words({ uncased: all_codes }),
  cased: words({ cased: all_codes }),
  words: words({ uncased: all_codes, cased: all_codes }),
  words_fofe_characters: { character_cnn:: false },
  words_character_cnn: { fofe_characters:: false },
  all: {},

  // Not from the thesis: lexical features of words; with them, the words at the ends of a span; SGD as in the thesis; tuned
  // vectors. encoded.libsonnet has a row with an encoder.
  lexical: { lexical_features:: true },
  boundaries: { lexical_features:: true, boundary_vectors:: ['uncased'] },
  sgd: { optimizer:: 'sgd', learning_rate:: 0.128 },
  tuned: { fixed_vectors:: false },
}
