// Document NER on free data, with fixed GloVe vectors of 100 dimensions from the file WORD_VECTORS.
// Compared with the paper's configuration, all rows have a lower learning rate, more dropout and twice the size.
local data = import '../lib/data.libsonnet';
local fixed_vectors = import '../lib/fixed_vectors.libsonnet';
local fixed_words = import '../lib/fixed_words.libsonnet';

local shared = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  hidden_size:: 100,
  dropout:: 0.4,
  learning_rate:: 2e-3,
  epochs:: 40,
};

// Re-DocRED and LitBank: characters, twice the size, averaged weights, and the 80,000 most frequent words of the file. A
// share of words is unknown in training, so that names are not learned by heart.
local characters = shared + fixed_vectors {
  character_filters:: 50,
  ngram_sizes:: [2, 3, 4],
  hidden_size:: 200,
  dropout:: 0.5,
  epochs:: 30,
  patience:: null,
  word_embedders+:: { tokens+: { unknown_rate: 0.15 } },

  dataset_reader+: { coding_scheme: 'BIOUL' },
  vocabulary+: { min_pretrained_embeddings: { tokens: 80000 } },
  trainer+: {
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 30 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
};

{
  shared: shared,  // without words
  // The outermost entities with a proper name as their head. A document has 58 sentences on average.
  gum: shared + fixed_words + data.gum_proper_names { documents_per_batch:: 1 },
  // For `cross-validate`: five folds by document; each fold is the test data once.
  wikigold: shared + fixed_words + data.wikigold,
  // The same with a CNN over the characters of words. As there, all words without a vector in the file are unknown.
  wikigold_characters: shared + fixed_vectors + data.wikigold { vocabulary+: { only_include_pretrained_words: true } },
  // The outermost entities, with a common noun as their head, too. A document is a chapter of 2,100 words on average.
  litbank: characters + data.litbank { documents_per_batch:: 1 },
  redocred: characters + data.redocred { documents_per_batch:: 4 },
}
