// Document NER with a memory-enhanced CRF (Liu, Baldwin and Cohn, EMNLP 2017, section 5): the shared part of all its
// configurations.
// A configuration adds data and word vectors, and changes the fields with :: at the top; all sizes are computed from
// them.
{
  // The input: word vectors of word_size::, built by word_indexers:: and word_embedders::, and the six lexical features.
  word_size:: error 'word_size:: is missing',
  word_indexers:: error 'word_indexers:: is missing',
  word_embedders:: error 'word_embedders:: is missing',
  input_size:: self.word_size + 6,

  // The encoder. It reads documents or, for the baselines, sentences.
  reads:: 'documents',
  encoder:: { type: 'memory_hop', num_hops: $.num_hops, dropout: $.dropout },
  hidden_size:: 50,
  num_hops:: 1,
  dropout:: 0.2,
  distribution:: 'crf',

  // Data.
  corpus:: error 'corpus:: is missing',
  documents_per_batch:: 2,
  sentences_per_batch:: 32,

  // Training.
  epochs:: 100,
  patience:: 10,
  learning_rate:: 0.01,

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
