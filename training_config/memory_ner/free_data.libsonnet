// Document NER on free data, with fixed GloVe vectors of 100 dimensions from the file WORD_VECTORS.
// Compared with the paper's configuration, all rows have a lower learning rate, more dropout and twice the size.
local fixed_words = import '../lib/fixed_words.libsonnet';
local seed = import '../lib/seed.libsonnet';
local memory_ner = import 'base.libsonnet';

memory_ner + fixed_words + seed {
  hidden_size:: 100,
  dropout:: 0.4,
  learning_rate:: 2e-3,
  epochs:: 40,
}
