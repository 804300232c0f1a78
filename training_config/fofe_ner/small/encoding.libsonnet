// A tagger with FOFE as its only encoder, on the treebank in the repository. Word vectors, FOFE codes of characters and
// the six lexical features represent a word, FOFE codes of words represent its contexts, and a hidden layer and a CRF
// tag it.
local learned_words = import '../../lib/learned_words.libsonnet';

learned_words {
  word_vector_size:: 32,
  character_filters:: 2 * self.character_size,  // codes in both directions
  word_size:: self.word_vector_size + self.character_filters + 6,
  // Names have rare words: with a lower count the model learns the names of train by heart.
  word_min_count:: 4,
  epochs:: 40,  // largest number of epochs
  word_indexers+:: { lexical_features: { type: 'lexical_features' } },
  word_embedders+:: {
    lexical_features: { type: 'lexical_features' },
    characters: {
      type: 'fofe',
      embedding: { embedding_dim: $.character_size, vocab_namespace: 'token_characters' },
      alpha: 0.8,
    },
  },

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: { type: 'conllu', proper_names: true },
    token_indexers: $.word_indexers,
  },
  train_data_path: 'fixtures/people_and_places/train.conllu',
  validation_data_path: 'fixtures/people_and_places/dev.conllu',
  // The vocabulary comes from train alone, so that names are as unknown in dev as in test.
  datasets_for_vocab_creation: ['train'],
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 16, sorting_keys: ['tokens'] } },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: { token_embedders: $.word_embedders },
    encoder: { type: 'fofe', input_size: $.word_size, alpha: 0.5, direction: 'both' },
    head: { feedforward: { num_layers: 1, hidden_dims: 128, activations: 'relu', dropout: 0.3 } },
  },
  trainer: {
    num_epochs: $.epochs,
    patience: 10,
    validation_metric: '+f1',
    optimizer: { type: 'adam', lr: 3e-3 },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
