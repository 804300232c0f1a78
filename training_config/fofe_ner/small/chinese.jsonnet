// FOFE-NER on Chinese, small, trained on the sentences in the repository. Tokens are characters; each has its own
// vector and the vector of its word.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 5.5.2.
// Differs from the thesis in vectors, sizes and epochs. Raw text is not segmented: each of its characters is a word,
// unless dataset_reader.parser names a spaCy pipeline that finds words.
// Expected: F1 0.50 on dev after 9 of 40 epochs, in 20 seconds on one CPU core. It works only on sentences similar to
// these.
(import '../base.libsonnet') {
  character_level:: true,
  fofe_characters:: false,
  character_cnn:: false,
  word_vector_size:: 64,
  hidden_size:: 256,
  levels:: ['highest_first'],
  word_min_count:: 2,
  batch_size:: 8,
  epochs:: 40,

  corpus:: { type: 'columns' },
  dataset_reader+: { parser: { pipeline: 'blank:zh' } },
  train_data_path: 'fixtures/chinese/train.txt',
  validation_data_path: 'fixtures/chinese/dev.txt',
}
