// FOFE-NER (Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications", 2017, chapter 5): the shared part of
// all its configurations. A configuration adds data, and changes the fields with :: at the top; the rest is computed
// from them.
local all_codes = ['context_including', 'context_excluding', 'bag_of_words'];

{
  // Features: the codes of words as written and of words in lower case, and optionally the codes of characters.
  codes:: if self.character_level then { character: all_codes, word: all_codes } else { cased: all_codes, uncased: all_codes },
  character_level:: false,  // tokens are characters, with codes of characters and of their words: for Chinese
  fofe_characters:: true,  // whether the span's characters are read by FOFE
  character_cnn:: true,  // whether the span's characters are read by a CNN
  hashed_characters:: false,  // no vocabulary of characters: for Spanish
  initials:: false,  // in the original program, not in the thesis
  gazetteer:: null,  // a file of lines `TYPE phrase`
  lexical_features:: false,  // of the words in and around the span: not in the thesis
  boundary_vectors:: [],  // the codes, such as uncased, whose vectors are also read at the span's ends: not in the thesis
  word_vector_size:: 256,  // size of the vector of a word
  character_size:: 64,  // size of the vector of a character
  alpha:: 0.5,  // the forgetting factor of words
  second_alpha:: null,  // another one for further codes of the same contexts; null: none, as in the thesis
  character_alpha:: 0.5,  // the forgetting factor of characters
  word_indexers:: {},  // AllenNLP's indexers for words with other vectors, such as a transformer's
  word_embedders:: {},  // the embedders of these, for all codes of each
  zero_digits:: false,  // words with all digits read as 0
  cased_unknown:: false,  // two unknown words, one for words with a capital; for words as written

  // Word vectors are learned with the task, except for codes that have a file of pretrained vectors here.
  word_vectors:: {},
  fixed_vectors:: false,  // vectors of files are fixed; words that the file lacks have trained vectors
  known_words:: null,  // the number of first words of each file that are known; null: all of them
  corpus_words:: true,  // whether words of the corpus are known, too

  // Network and decoding.
  hidden_size:: 512,  // size of the network's layers
  max_length:: 7,  // the words of the longest spans
  // How overlapping spans are chosen at each depth: highest_first or longest_first. Adjacent ones of a type are merged, as
  // in the thesis, which reads corpora that cannot tell them from one.
  levels:: [{ type: 'highest_first', merge_adjacent: true }],
  metrics_per_depth:: false,  // whether there are metrics by the depth of nested entities
  span_filter:: false,  // whether prediction leaves out spans at a first look, which takes little time: not in the thesis
  dropout_per_sentence:: false,  // whether all spans of a sentence drop the same features in training: not in the thesis
  overlap_rate:: 0.36,  // the probability that a span is trained on which shares a word with an entity
  disjoint_rate:: 0.09,  // the same for a span that shares none

  // Data.
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  word_min_count:: 1,  // words that occur less often in the training data are unknown
  batch_size:: 32,  // about 512 spans

  // Training: momentum for the layers; no momentum and lower rates for tuned vectors of files and for vectors of
  // characters, as in the original program. Adam has these rates, too, but no momentum.
  optimizer:: 'sgd',
  epochs:: 128,  // number of epochs
  learning_rate:: 0.128,  // learning rate of the first epoch
  final_learning_rate:: self.learning_rate / 16,  // learning rate of the last epoch; falls evenly on a log scale

  local config = self,
  // The option words is that of lib/words.libsonnet.
  local own_codes = if std.get(self, 'words') == 'transformer' then {} else self.codes,
  local names = std.objectFields(own_codes),
  local word_codes = own_codes + (
    // Without codes, word_embedders:: are those of an encoder.
    if self.codes == {} then {} else { [name]: all_codes for name in std.objectFields(self.word_embedders) }
  ),
  local with_file = [name for name in names if name in config.word_vectors],
  local learned = std.setDiff(names, with_file),
  local tuned = if self.fixed_vectors then [] else with_file,
  local with_second(names) = names + if config.second_alpha == null then [] else [name + '_second' for name in names],
  // Without momentum, gradients may have rows for only the words of the batch.
  local sparse(name) = std.member(tuned, name) || config.optimizer == 'dense_sparse_adam',
  local momentum(value) = if self.optimizer == 'sgd' then { momentum: value } else {},
  local codes = [name for name in ['fofe_characters', 'initials'] if config[name]],
  local uses_characters = self.fofe_characters || self.character_cnn || self.initials,
  local character_vectors = { embedding_dim: config.character_size } + (
    if config.hashed_characters then { num_embeddings: 129 } else { vocab_namespace: 'token_characters' }
  ),
  local embedders = config.word_embedders + {
    [name]: {
      embedding_dim: config.word_vector_size,
      vocab_namespace: name,
      [if std.member(with_file, name) then 'pretrained_file']: config.word_vectors[name],
    } + (
      if std.member(with_file, name) && config.fixed_vectors then { type: 'fixed_embedding' } else {
        type: 'embedding',
        [if sparse(name) then 'sparse']: true,
      }
    )
    for name in names
  },
  local word_features = {
    [name]: {
      type: 'fofe_words',
      indexer: name,
      embedder: embedders[name],
      alpha: config.alpha,
      codes: word_codes[name],
    }
    for name in std.objectFields(word_codes)
  },
  local second_features = if config.second_alpha == null then {} else {
    [name + '_second']: word_features[name] {
      alpha: config.second_alpha,
      codes: std.filter(function(code) code != 'bag_of_words', word_codes[name]),
    }
    for name in std.objectFields(word_codes)
  },
  local boundary_features = {
    ['boundary_' + name]: {
      type: 'boundary_words',
      indexer: name,
      embedder: word_features[name].embedder,
    }
    for name in config.boundary_vectors
  },
  local word_indexer(name) = {
    namespace: name,
  } + (
    if name == 'cased' && config.cased_unknown then { type: 'cased_unknown' } else {
      type: 'single_id',
      lowercase_tokens: name == 'uncased',
      [if name == 'word' then 'feature_name']: 'word',
    }
  ),

  dataset_reader: {
    type: 'entity_spans',
    corpus: config.corpus,
    max_length: config.max_length,
    character_level: config.character_level,
    token_indexers: config.word_indexers + {
      [name]: if config.zero_digits then { type: 'zero_digits', indexer: word_indexer(name) } else word_indexer(name)
      for name in names
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
      [if config.lexical_features then 'lexical_features']: { type: 'lexical_features' },
    },
  },
  // The vocabulary comes from train alone, so that names are as unknown in dev as in test.
  datasets_for_vocab_creation: ['train'],
  vocabulary: {
    min_count: { [name]: if config.corpus_words then config.word_min_count else 1000000000 for name in names },
    [if with_file != [] then 'pretrained_files']: { [name]: config.word_vectors[name] for name in with_file },
    [if with_file != [] then 'min_pretrained_embeddings']: {
      [name]: if config.known_words == null then -1 else config.known_words
      for name in with_file
    },
    [if !config.corpus_words then 'only_include_pretrained_words']: true,
    // Unknown words with a capital are read as this word, which no file has.
    [if !config.corpus_words && config.cased_unknown && std.member(names, 'cased') then 'tokens_to_add']: {
      cased: ['@@UNKNOWN_CAPITALIZED@@'],
    },
  },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['tokens'] } },
  model: {
    type: 'fofe_ner',
    max_length: config.max_length,
    features: word_features + second_features + boundary_features + {
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
      [if config.lexical_features then 'lexical_features']: {
        type: 'boundary_words',
        indexer: 'lexical_features',
        embedder: { type: 'lexical_features' },
      },
    },
    dropout: 0.4,
    [if config.dropout_per_sentence then 'dropout_per_sentence']: true,
    feedforward: { num_layers: 3, hidden_dims: config.hidden_size, activations: 'relu', dropout: 0.4 },
    sampler: { overlap_rate: config.overlap_rate, disjoint_rate: config.disjoint_rate },
    [if config.span_filter then 'span_filter']: {},
    decoder: { levels: config.levels },
    metrics_per_depth: config.metrics_per_depth,
    initializer: {
      regexes: [
        ['feedforward.*weight|label_projection.weight', { type: 'xavier_uniform' }],
        ['feedforward.*bias|label_projection.bias', { type: 'zero' }],
      ] + (
        if uses_characters then [['.*[.]embedding[.]weight', { type: 'uniform', a: -1, b: 1 }]] else []
      ) + [
        ['features[.]%s[.].*embedder[.]weight' % name, { type: 'uniform', a: -0.5, b: 0.5 }]
        for name in with_second(learned)
      ],
    },
  },
  trainer: {
    num_epochs: config.epochs,
    validation_metric: '+f1',
    optimizer: {
      type: config.optimizer,
      lr: config.learning_rate,
      parameter_groups: [
        group
        for group in [
          [
            ['features[.]%s[.].*embedder[.]' % name for name in with_second(tuned)],
            { lr: config.learning_rate / 4 } + momentum(0),
          ],
          [['features[.]%s[.]embedding[.]' % name for name in codes], { lr: config.learning_rate / 2 } + momentum(0)],
        ]
        if group[0] != []
      ],
    } + momentum(0.9),
    learning_rate_scheduler: {
      type: 'exponential',
      gamma: std.pow(config.final_learning_rate / config.learning_rate, 1 / config.epochs),
    },
    callbacks: ['reproducible', { type: 'dropout_decay', initial: 0.4, final: 0.1 }, 'final_report'],
  },
}
