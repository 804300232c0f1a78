// A tagger to start from: vectors of words and of their characters, a BiLSTM and a CRF find the named entities of a file of
// columns. Small, trained on the columns of fixtures/people_and_places. On your own files, the tag in their last column:
//   allennlp train training_config/ner.jsonnet --include-package nerzoo -s output/ner \
//     -o '{"train_data_path": "train.txt", "validation_data_path": "dev.txt"}'
// WORD_VECTORS names a text file of word vectors of 100 numbers, GloVe's for instance, which stay as they are; where it is
// empty, as env.sh leaves it, the model learns a vector for each word that occurs often enough.
// Model: Ma and Hovy, "End-to-end Sequence Labeling via Bi-directional LSTM-CNNs-CRF" (2016).
// Differs from it in sizes, in word vectors, which it tunes, and in Adam in place of SGD.
// Expected: F1 83.2 on dev, 70.6 on test, without a file of word vectors, within a minute on one CPU core.
local learned_words = import 'lib/learned_words.libsonnet';
local vectors = std.extVar('WORD_VECTORS');

learned_words {
  word_vector_size:: 100,
  character_filters:: 50,
  character_size:: 25,
  // Names are of rare words: with a lower count the model learns the names of train by heart.
  word_min_count:: 4,
  hidden_size:: 100,
  dropout:: 0.5,
  word_embedders+:: if vectors == '' then {} else {
    tokens: { type: 'fixed_embedding', embedding_dim: $.word_vector_size, pretrained_file: vectors },
  },

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: { type: 'columns' },
    token_indexers: $.word_indexers,
    coding_scheme: 'BIOUL',
  },
  train_data_path: 'fixtures/people_and_places/train.txt',
  validation_data_path: 'fixtures/people_and_places/dev.txt',
  // Names that train does not have are as unknown in dev as they will be in test.
  datasets_for_vocab_creation: ['train'],
  vocabulary+: if vectors == '' then {} else {
    pretrained_files: { tokens: vectors },
    min_pretrained_embeddings: { tokens: -1 },  // all of them, for text that the model will read one day
  },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 16, sorting_keys: ['tokens'] } },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: { token_embedders: $.word_embedders },
    input_dropout: { type: 'variational', p: $.dropout },
    encoder: { type: 'bilstm', input_size: $.word_size, hidden_size: $.hidden_size },
    dropout: $.dropout,
    head: { distribution: 'crf' },
  },
  trainer: {
    num_epochs: 60,
    patience: 10,
    validation_metric: '+f1',
    optimizer: { type: 'adam', lr: 3e-3 },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
