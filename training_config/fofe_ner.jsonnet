// FOFE-NER, small: it learns its word vectors and trains on the treebank in the repository. Entities are nested there;
// it finds the outermost ones, and fofe_ner/small/nested.jsonnet finds all of them.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), chapter 5.
// Differs from the thesis in word vectors, sizes and epochs, and has no character features, because with them it learns
// the few names of the fixture by heart. fofe_ner/paper.jsonnet has the thesis's settings.
// Expected: F1 63.8 on dev, 46.8 on test, within half a minute on one CPU core.
(import 'fofe_ner/base.libsonnet') + (import 'lib/seed.libsonnet') + {
  fofe_characters:: false,
  character_cnn:: false,
  word_size:: 0,  // size of the vectors of words other than those of codes
  word_vector_size:: 32,
  hidden_size:: 128,
  levels:: ['highest_first'],
  word_min_count:: 2,
  batch_size:: 16,
  epochs:: 30,

  corpus:: { type: 'conllu', proper_names: true },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
} + import 'lib/words.libsonnet'
