// Document NER with a memory-enhanced CRF, small: it learns its word vectors and trains on the treebank in the
// repository.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 5.
// Differs from the paper in word vectors, with a CNN over characters; memory_ner/paper.jsonnet has the paper's
// settings.
// Expected: F1 91.1 on dev, 80.4 on test, within a minute on one CPU core.
local learned_words = import 'lib/learned_words.libsonnet';
local memory_ner = import 'memory_ner/base.libsonnet';
local seed = import 'lib/seed.libsonnet';

memory_ner + learned_words + seed {
  word_vector_size:: 32,
  character_filters:: 32,
  word_min_count:: 2,
  learning_rate:: 5e-3,

  corpus:: { type: 'conllu', proper_names: true },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
} + import 'lib/words.libsonnet'
