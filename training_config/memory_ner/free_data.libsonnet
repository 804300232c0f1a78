// Document NER on free data, with fixed GloVe vectors of 100 dimensions from the file WORD_VECTORS.
// Compared with the paper's configuration, all rows have characters, more dropout, a larger size, and a falling rate.
local data = import '../lib/data.libsonnet';
local fixed_vectors = import '../lib/fixed_vectors.libsonnet';

local shared = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  dropout:: 0.5,
  patience:: null,
  dataset_reader+: { coding_scheme: 'BIOUL' },
};

// As ner.jsonnet, with fewer epochs, in which the rate falls as far: for short documents, which are about as many
// sentences as its batches.
local as_ner = shared {
  hidden_size:: 100,
  learning_rate:: 0.02,
  epochs:: 30,
  documents_per_batch:: 1,
  sentences_per_batch:: 10,
  model+: { loss_reduction: 'sentence' },
  trainer+: {
    optimizer: { type: 'sgd', lr: $.learning_rate, momentum: 0.9 },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.97, 50 / $.epochs) },
  },
};

// For documents that are so long that there are few steps, or for many documents: Adam, averaged weights, and the 80,000
// most frequent words of the file. A share of words is unknown in training, so that names are not learned by heart.
local averaged = shared + fixed_vectors {
  ngram_sizes:: [2, 3, 4],
  hidden_size:: 200,
  learning_rate:: 2e-3,
  epochs:: 30,
  word_embedders+:: { tokens+: { unknown_rate: 0.15 } },
  vocabulary+: { min_pretrained_embeddings: { tokens: 80000 } },
  trainer+: {
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 30 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
};

{
  as_ner: as_ner,  // without words
  // For `cross-validate`: five folds by document; each fold is the test data once. A document has 12 sentences.
  wikigold: as_ner + fixed_vectors + data.wikigold,
  // The outermost entities with a proper name as their head. A document has 58 sentences on average.
  gum: averaged + data.gum_proper_names { documents_per_batch:: 1 },
  // The outermost entities, with a common noun as their head, too. A document is a chapter of 2,100 words on average.
  litbank: averaged + data.litbank { documents_per_batch:: 1 },
  redocred: averaged + data.redocred { documents_per_batch:: 4 },
}
