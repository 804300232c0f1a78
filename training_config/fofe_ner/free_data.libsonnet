// FOFE-NER on free data, which is small compared with the thesis's: Adam, because SGD would have few updates (rows.sgd
// has SGD). The vocabulary comes from the training data; unknown words with and without a capital are two unknown
// words. Levels and thresholds were the best ones on the development data with other word vectors or settings.
local data = import '../lib/data.libsonnet';
local highest_first(threshold) = { type: 'highest_first', threshold: threshold, merge_adjacent: false };
local longest_first(threshold) = highest_first(threshold) { type: 'longest_first' };

local learned = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  optimizer:: 'dense_sparse_adam',
  learning_rate:: 2e-3,
  character_size:: 32,
  word_vector_size:: 100,
  word_min_count:: 2,
  cased_unknown:: true,
  zero_digits:: true,
  levels:: [highest_first(0.5)],
  batch_size:: 16,
};
// Lower-case words have fixed vectors, from the file that the environment variable WORD_VECTORS names, for every word
// of the file (rows.tuned tunes them). Vectors of words as written are learned.
local glove = learned {
  word_vectors:: { uncased: import '../lib/word_vectors.libsonnet' },
  fixed_vectors:: true,
};
// All entities, nested, also entities with a pronoun or a common noun as their head. Differs from the thesis in spans of
// up to 15 words, which cover 98 % of the entities of GUM and of LitBank, and in levels: entities of GUM are up to eight
// deep. Rates are those of the original program for KBP.
local deep = {
  max_length:: 15,
  levels:: [longest_first(0.6), longest_first(0.7), longest_first(0.7), highest_first(0.9)],
  metrics_per_depth:: true,
  overlap_rate:: 0.08,
  disjoint_rate:: 0.016,
  epochs:: 20,
};

{
  learned: learned,
  glove: glove,
  // Nested entities. Differs from the thesis in spans of up to 10 words, which cover 99 % of the entities.
  genia: glove + data.genia {
    max_length:: 10,
    levels:: [longest_first(0.6), longest_first(0.9)],
    metrics_per_depth:: true,
    epochs:: 15,
  },
  // Outer and inner entities. Word vectors are learned, for words as written and for words in lower case.
  germeval: learned + data.germeval {
    levels:: [longest_first(0.4), highest_first(0.8)],
    metrics_per_depth:: true,
    epochs:: 15,
  },
  gum: glove + data.gum + deep,
  litbank: glove + data.litbank + deep,
  // Mentions of six types, of which 0.2 % are inside another one.
  redocred: glove + data.redocred { epochs:: 20 },
  // For `cross-validate`: five folds by document; each fold is the test data once.
  wikigold: glove + data.wikigold { epochs:: 30 },
  // Files of its folder with the same name as a file in paper/ are the same rows of Table 5.1; the others are our own.
  wnut17: glove + data.wnut17 { epochs:: 30 },
}
