// A tagger to start from: vectors of words, characters and word shapes, a BiLSTM and a CRF find the named entities of a
// file of columns. Small, trained on the columns of fixtures/people_and_places. For your own files, with the tag in
// their last column:
//   nerzoo train ner --train train.txt --dev dev.txt -s output/ner
// WORD_VECTORS names a text file of word vectors of 100 numbers, for example GloVe's, which are fixed. If it is empty
// or not set, the model learns a vector for each word that occurs often enough.
// Model: Ma and Hovy, "End-to-end Sequence Labeling via Bi-directional LSTM-CNNs-CRF" (2016).
// Differs from the paper in fixed word vectors (the paper tunes them), dropout on all of the input, word shapes, 50
// character filters (the paper has 30), and the learning rate and its decay.
// Expected: F1 78.4 on dev, 79.6 on test, without a file of word vectors, within a minute on one CPU core.
local learned_words = import 'lib/learned_words.libsonnet';
local seed = import 'lib/seed.libsonnet';
local vectors = std.extVar('WORD_VECTORS');
local words = if vectors == '' then learned_words else import 'lib/fixed_vectors.libsonnet';

words + seed {
  word_vector_size:: 100,
  character_filters:: 50,
  character_size:: 30,
  // Names have rare words: with a lower count the model learns the names of train by heart.
  word_min_count:: 4,
  hidden_size:: 200,  // size of each direction of the LSTM
  dropout:: 0.5,  // probability of dropout on embedded and on encoded words
  learning_rate:: 0.02,  // learning rate of gradient descent with momentum in the first epoch; it falls to a fifth
  epochs:: 50,  // number of epochs
  corpus:: { type: 'columns' },  // the format of the data, an object with a type
  lexical_features:: true,  // six features of word shapes, which vectors of lower-case words lack

  local features = { [if $.lexical_features then 'lexical_features']: { type: 'lexical_features' } },
  word_size+:: if self.lexical_features then 6 else 0,
  word_indexers+:: features,
  word_embedders+:: features,

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: $.corpus,
    token_indexers: $.word_indexers,
    coding_scheme: 'BIOUL',
  },
  train_data_path: 'fixtures/people_and_places/train.txt',
  validation_data_path: 'fixtures/people_and_places/dev.txt',
  // The vocabulary comes from train alone, so that names are as unknown in dev as in test.
  datasets_for_vocab_creation: ['train'],
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 10, sorting_keys: ['tokens'] } },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: { token_embedders: $.word_embedders },
    input_dropout: { p: $.dropout },
    encoder: { type: 'bilstm', input_size: $.word_size, hidden_size: $.hidden_size },
    dropout: $.dropout,
    head: { distribution: 'crf' },
    loss_reduction: 'sentence',
  },
  trainer: {
    num_epochs: $.epochs,
    validation_metric: '+f1',
    optimizer: { type: 'sgd', lr: $.learning_rate, momentum: 0.9 },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.97, 50 / $.epochs) },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
} + import 'lib/words.libsonnet'
