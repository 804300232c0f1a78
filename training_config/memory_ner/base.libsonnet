// Document NER with a memory-enhanced CRF (Liu, Baldwin and Cohn, EMNLP 2017, section 5): the shared part of all its
// configurations.
// A configuration adds data and word vectors, and changes the fields with :: at the top; all sizes are computed from
// them.
{
  // The input: word vectors of word_size::, built by word_indexers:: and word_embedders::, and the six lexical features.
  word_size:: error 'word_size:: is missing',  // size of the vector that word_embedders:: makes of a word
  word_indexers:: error 'word_indexers:: is missing',  // AllenNLP's indexers for words
  word_embedders:: error 'word_embedders:: is missing',  // the embedders of these
  input_size:: self.word_size + 6,  // size of these and of the lexical features

  // The encoder. It reads documents or, for the baselines, sentences.
  reads:: 'documents',  // documents or, for the baselines, sentences
  encoder:: { type: 'memory_hop', num_hops: $.num_hops, dropout: $.dropout },  // an object with a type and its options
  hidden_size:: 50,  // size of the encoder's output
  num_hops:: 1,  // number of times that the memory is read
  dropout:: 0.2,  // probability of dropout in the encoder
  input_dropout:: false,  // whether embedded words have dropout, too
  distribution:: 'crf',  // distribution of tags: crf or softmax

  // Data.
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  documents_per_batch:: 2,  // if it reads documents
  sentences_per_batch:: 32,  // if it reads sentences

  // Training.
  epochs:: 100,  // largest number of epochs
  patience:: 10,  // training ends after so many epochs without a better one; null: after the last
  learning_rate:: 0.01,  // learning rate of Adam

  local config = self,
  local of = {
    documents: { reader: 'tagged_documents', batch_size: config.documents_per_batch, model: 'memory_tagger' },
    sentences: { reader: 'tagged_sentences', batch_size: config.sentences_per_batch, model: 'sequence_tagger' },
  }[config.reads],

  dataset_reader: {
    type: of.reader,
    corpus: config.corpus,
    token_indexers: config.word_indexers { lexical_features: { type: 'lexical_features' } },
    coding_scheme: 'BIO',
  },
  // The vocabulary comes from train alone.
  datasets_for_vocab_creation: ['train'],
  data_loader: {
    batch_sampler: { type: 'bucket', batch_size: of.batch_size, sorting_keys: ['tokens'] },
  },
  model: {
    type: of.model,
    text_field_embedder: {
      token_embedders: config.word_embedders { lexical_features: { type: 'lexical_features' } },
    },
    [if config.input_dropout then 'input_dropout']: { p: config.dropout },
    encoder: config.encoder { input_size: config.input_size, hidden_size: config.hidden_size },
    head: { distribution: config.distribution },
    // A memory has its own dropout.
    [if config.encoder.type != 'memory_hop' then 'dropout']: config.dropout,
  },
  trainer: {
    num_epochs: config.epochs,
    [if config.patience != null then 'patience']: config.patience,
    validation_metric: '+f1',
    optimizer: { type: 'fused_adam', lr: config.learning_rate },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
