// A tagger to compare other systems with, and for the zoo: a BiLSTM-CRF over vectors of words and characters. It does
// not import ner.jsonnet, so that an edit of that file changes no table.
local has_vectors = std.extVar('WORD_VECTORS') != '';
local words = if has_vectors then import 'fixed_vectors.libsonnet' else import 'learned_words.libsonnet';

words + (import 'seed.libsonnet') {
  word_vector_size:: 100,
  character_filters:: 50,
  character_size:: 30,
  word_min_count:: 4,
  zero_digits:: true,  // whether all digits are read as 0
  lexical_features:: false,  // six features of word shapes, which vectors of lower-case words lack
  hidden_size:: 200,  // size of each direction of the LSTM
  dropout:: 0.5,  // probability of dropout on embedded and on encoded words
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  learning_rate:: 0.02,  // learning rate of gradient descent with momentum in the first epoch; it falls to a fifth
  epochs:: 50,  // number of epochs

  local features = { [if $.lexical_features then 'lexical_features']: { type: 'lexical_features' } },
  local tokens = super.word_indexers.tokens,
  word_size+:: if self.lexical_features then 6 else 0,
  word_indexers+:: features { tokens: if $.zero_digits then { type: 'zero_digits', indexer: tokens } else tokens },
  word_embedders+:: features,

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: $.corpus,
    token_indexers: $.word_indexers,
    coding_scheme: 'BIOUL',
  },
  // The vocabulary comes from train alone.
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
}
