// Attending to characters (Rei, Crichton and Pyysalo, COLING 2016): the shared part of all its configurations.
// A configuration adds data and a task, and changes the fields with :: at the top; all sizes are computed from them.
{
  // The task: ner, chunking, pos, tags or error_detection; error_detection needs the label of an error.
  task:: error 'task:: is missing',
  positive_label:: 'i',  // the label of an error, for error_detection

  // Of words and characters: attention, concat or word, the columns of the paper's table of results.
  combination:: 'attention',
  word_vector_size:: 300,  // size of word vectors; those that characters are encoded to have the same size
  word_size:: self.word_vector_size,  // size of the vector that word_embedders:: makes of a word
  word_indexers:: { words: null },  // AllenNLP's indexers for words; null: the indices of a vocabulary
  // The embedders of these, each with an attention to characters.
  word_embedders:: {
    words: {
      [if config.fixed_words then 'type']: 'fixed_embedding',
      embedding_dim: config.word_vector_size,
      [if config.word_vectors != null then 'pretrained_file']: config.word_vectors,
    },
  },
  word_vectors:: null,  // a file; without it, vectors are learned with the task
  fixed_words:: false,  // whether vectors are fixed; then all words of the file have theirs
  word_min_count:: 2,  // words that occur less often in the training data are unknown
  lowercase_words:: false,  // whether words are read in lower case; characters are always read as written
  zero_digits:: true,  // whether all digits are read as 0
  max_word_length:: null,  // number of characters of the longest words; null: 500, the default
  character_embedding_size:: 50,  // size of the vector of a character
  character_hidden_size:: 200,  // size of each direction of the LSTM over the characters of a word
  input_dropout:: 0.0,  // probability of dropout on embedded words
  singleton_dropout:: 0.0,  // probability that a word that occurs once is unknown in training
  scalar_gate:: false,  // whether attention has one weight for a word, not one for each feature
  gate_reads_characters:: true,  // whether attention depends on the characters, not on the word alone
  auxiliary_weight:: 1.0,  // weight of the loss that draws character vectors towards word vectors; 0: no such loss

  // The tagger.
  hidden_size:: 200,  // size of each direction of the LSTM over words
  tagging_size:: 50,  // size of the layer between the LSTM and the tags
  distribution:: 'crf',  // distribution of tags: crf or softmax
  dropout:: 0.0,  // probability of dropout on encoded words

  // Data and training.
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  batch_size:: 64,  // sentences in a batch
  epochs:: error 'epochs:: is missing',  // largest number of epochs
  patience:: 7,  // training ends after so many epochs without a better one; null: after the last
  optimizer:: error 'optimizer:: is missing',  // an object with a type and its options

  local config = self,
  local spans = { reader: { coding_scheme: 'BIO' }, head: {}, metric: '+f1' },
  local task = {
    ner: spans,
    chunking: spans,
    pos: { reader: { tags_from: 'pos' }, head: {}, metric: '+accuracy' },
    tags: { reader: {}, head: {}, metric: '+accuracy' },
    error_detection: { reader: {}, head: { positive_label: config.positive_label }, metric: '+f0.5' },
  }[config.task],
  local pretrained = (if config.word_vectors == null then [] else ['word_embedding']) + (
    if std.objectHas(config.word_embedders, 'transformer') then ['transformer.word_embedding'] else []
  ),
  local input_size = config.word_size * (if config.combination == 'concat' then 2 else 1),

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: config.corpus,
    token_indexers: {
      [name]: {
        type: 'word_characters',
        lowercase_words: config.lowercase_words,
        zero_digits: config.zero_digits,
        [if config.max_word_length != null then 'max_word_length']: config.max_word_length,
      } + (
        // A vocabulary of its own, since two indexers of one would count every word twice.
        if config.word_indexers[name] == null then {} else { namespace: name, word_indexer: config.word_indexers[name] }
      )
      for name in std.objectFields(config.word_indexers)
    },
  } + task.reader,
  vocabulary: { min_count: { tokens: config.word_min_count } } + if config.fixed_words then {
    pretrained_files: { tokens: config.word_vectors },
    min_pretrained_embeddings: { tokens: -1 },
  } else {},
  // The vocabulary comes from train alone.
  datasets_for_vocab_creation: ['train'],
  data_loader: {
    batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['tokens'] },
  },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: {
      token_embedders: {
        [name]: {
          type: 'char_gated',
          combination: config.combination,
          word_embedding: config.word_embedders[name],
          character_encoder: {
            type: 'character_encoding',
            embedding: { embedding_dim: config.character_embedding_size, vocab_namespace: 'token_characters' },
            encoder: {
              type: 'bilstm',
              input_size: config.character_embedding_size,
              hidden_size: config.character_hidden_size,
            },
          },
          singleton_dropout: config.singleton_dropout,
          auxiliary_weight: config.auxiliary_weight,
          [if config.scalar_gate then 'scalar_gate']: true,
          [if !config.gate_reads_characters then 'gate_reads_characters']: false,
          dropout: config.input_dropout,
        }
        for name in std.objectFields(config.word_embedders)
      },
    },
    encoder: { type: 'bilstm', input_size: input_size, hidden_size: config.hidden_size },
    dropout: config.dropout,
    head: {
      feedforward: { num_layers: 1, hidden_dims: config.tagging_size, activations: 'tanh' },
      distribution: config.distribution,
    } + task.head,
    // As in the authors' program. AllenNLP's initial word vectors are so small that training starts slowly.
    initializer: {
      regexes: [['.*', { type: 'normal', mean: 0.0, std: 0.1 }]],
      [if pretrained != [] then 'prevent_regexes']: pretrained,
    },
  },
  trainer: {
    num_epochs: config.epochs,
    [if config.patience != null then 'patience']: config.patience,
    validation_metric: task.metric,
    optimizer: config.optimizer,
    callbacks: ['reproducible', 'final_report'],
  },
}
