// FOFE-NER (Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications", 2017, chapter 5): what all its
// configurations share. A configuration adds data, and changes the fields with :: at the top; the rest follows from them.
local all_codes = ['context_including', 'context_excluding', 'bag_of_words'];

{
  // Features: the codes of words as written and of words in lower case, and whether there are those of characters.
  codes:: if self.character_level then { character: all_codes, word: all_codes } else { cased: all_codes, uncased: all_codes },
  character_level:: false,  // tokens are characters, with codes of them and of the words that they stand in: for Chinese
  fofe_characters:: true,
  character_cnn:: true,
  hashed_characters:: false,  // no vocabulary of characters: for Spanish
  initials:: false,  // in the original program, not in the thesis
  gazetteer:: null,  // a file of lines `TYPE phrase`
  word_size:: 256,
  character_size:: 64,
  alpha:: 0.5,
  character_alpha:: 0.8,
  known_words:: null,  // how many, the first ones of the files of vectors; without, those of the corpus
  cased_unknown:: false,  // two unknown words, one for words with a capital; for words as written
  word_vectors:: {},  // the files of pretrained ones, for cased and uncased; without, they are learned with the task

  // Network and decoding.
  hidden_size:: 512,
  max_length:: 7,
  levels:: ['highest_first'],
  metrics_per_depth:: false,
  overlap_rate:: 0.36,
  disjoint_rate:: 0.09,

  // Data.
  corpus:: error 'corpus:: is missing',
  word_min_count:: 1,
  batch_size:: 32,  // about 512 spans

  // Training: momentum for the layers, none and lower rates for pretrained vectors and those of characters, as in the
  // original program.
  epochs:: 128,
  learning_rate:: 0.128,
  final_learning_rate:: self.learning_rate / 16,

  local config = self,
  local pretrained = self.word_vectors != {},
  local uses_characters = self.fofe_characters || self.character_cnn || self.initials,
  local character_vectors = { embedding_dim: config.character_size } + (
    if config.hashed_characters then { num_embeddings: 129 } else { vocab_namespace: 'token_characters' }
  ),
  local word_features = {
    [name]: {
      type: 'fofe_words',
      indexer: name,
      embedder: {
        type: 'embedding',
        embedding_dim: config.word_size,
        vocab_namespace: name,
        [if name in config.word_vectors then 'pretrained_file']: config.word_vectors[name],
      },
      alpha: config.alpha,
      codes: config.codes[name],
    }
    for name in std.objectFields(config.codes)
  },

  dataset_reader: {
    type: 'entity_spans',
    corpus: config.corpus,
    max_length: config.max_length,
    character_level: config.character_level,
    token_indexers: {
      [name]: {
        namespace: name,
      } + (
        if name == 'cased' && config.cased_unknown then { type: 'cased_unknown' } else {
          type: 'single_id',
          lowercase_tokens: name == 'uncased',
          [if name == 'word' then 'feature_name']: 'word',
        }
      )
      for name in std.objectFields(config.codes)
    } + {
      [if uses_characters then 'characters']: if config.hashed_characters then { type: 'hashed_characters' } else {
        type: 'characters',
        min_padding_length: 1,
      },
      [if config.gazetteer != null then 'gazetteer']: {
        type: 'gazetteer',
        path: config.gazetteer,
        max_length: config.max_length,
      },
    },
  },
  vocabulary: if config.known_words == null then {
    min_count: { [name]: config.word_min_count for name in std.objectFields(config.codes) },
  } else {
    local names = std.objectFields(config.codes),
    pretrained_files: { [name]: config.word_vectors[name] for name in names },
    min_pretrained_embeddings: { [name]: config.known_words for name in names },
    only_include_pretrained_words: true,
    min_count: { [name]: 1000000000 for name in names },  // of the corpus's words none by themselves
    // The word of no file that the unknown ones with a capital are read as.
    tokens_to_add: { [if config.cased_unknown && std.member(names, 'cased') then 'cased']: ['@@UNKNOWN_CAPITALIZED@@'] },
  },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['tokens'] } },
  model: {
    type: 'fofe_ner',
    max_length: config.max_length,
    features: word_features {
      [if config.fofe_characters then 'fofe_characters']: {
        type: 'fofe_characters',
        indexer: 'characters',
        embedding: character_vectors,
        alpha: config.character_alpha,
      },
      [if config.initials then 'initials']: {
        type: 'fofe_characters',
        indexer: 'characters',
        embedding: character_vectors,
        alpha: config.character_alpha,
        initials: true,
      },
      [if config.character_cnn then 'character_cnn']: {
        type: 'character_cnn',
        indexer: 'characters',
        embedding: character_vectors,
        num_filters: 16,
        kernel_sizes: std.range(2, 9),
      },
      [if config.gazetteer != null then 'gazetteer']: { type: 'gazetteer_match', indexer: 'gazetteer' },
    },
    dropout: 0.4,
    feedforward: { num_layers: 3, hidden_dims: config.hidden_size, activations: 'relu', dropout: 0.4 },
    sampler: { overlap_rate: config.overlap_rate, disjoint_rate: config.disjoint_rate },
    decoder: { levels: config.levels },
    metrics_per_depth: config.metrics_per_depth,
    initializer: {
      regexes: [
        ['feedforward.*weight|label_projection.weight', { type: 'xavier_uniform' }],
        ['feedforward.*bias|label_projection.bias', { type: 'zero' }],
      ] + (
        if uses_characters then [['.*[.]embedding[.]weight', { type: 'uniform', a: -1, b: 1 }]] else []
      ) + (if pretrained then [] else [['.*embedder[.]weight', { type: 'uniform', a: -0.5, b: 0.5 }]]),
    },
  },
  trainer: {
    num_epochs: config.epochs,
    validation_metric: '+f1',
    optimizer: {
      type: 'sgd',
      lr: config.learning_rate,
      momentum: 0.9,
      parameter_groups: [
        [['embedder[.]'], if pretrained then { lr: config.learning_rate / 4, momentum: 0 } else {}],
        [['(fofe_characters|initials)[.]embedding[.]'], { lr: config.learning_rate / 2, momentum: 0 }],
      ],
    },
    learning_rate_scheduler: {
      type: 'exponential',
      gamma: std.pow(config.final_learning_rate / config.learning_rate, 1 / config.epochs),
    },
    callbacks: ['reproducible', { type: 'dropout_decay', initial: 0.4, final: 0.1 }, 'final_report'],
  },
}
