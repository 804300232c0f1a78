// Document NER on free data: GloVe's vectors of 100 dimensions, in the file that WORD_VECTORS names, which stay as they are.
// A lower learning rate than the paper's configuration has, more dropout and twice the size, the same for all rows.
local fixed_words = import '../lib/fixed_words.libsonnet';
local seed = import '../lib/seed.libsonnet';
local memory_ner = import 'base.libsonnet';

memory_ner + fixed_words + seed {
  hidden_size:: 100,
  dropout:: 0.4,
  learning_rate:: 2e-3,
  epochs:: 40,
}
