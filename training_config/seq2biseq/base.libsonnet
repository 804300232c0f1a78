// Seq2Biseq (Dinarelli and Grobol, CICLing 2019): the shared part of all its configurations.
// A configuration adds data and a task, and changes the fields with :: at the top; all sizes are computed from them.
{
  // The task: slots, pos, or ner for names.
  task:: error 'task:: is missing',

  // The rows of the paper's tables: seq2biseq, seq2biseq_le or forward_only, with one optimiser or two. The last two
  // have lexical information in the decoders. The baseline bigru_crf differs only in its head and in the size of the
  // words' GRU; no row decodes with constraints. Segments are for training; null: whole sentences.
  variant:: 'seq2biseq_le',
  two_optimizers:: false,  // one for each decoder's loss
  one_after_another:: false,  // with two: whether the second takes its gradients after the step of the first
  backward_weight:: 0.5,  // weight of the backward decoder's loss; the forward decoder's weight is 0.5
  // Whether the backward decoder reads its own labels in training, from none in the first epoch to all in the last.
  scheduled_sampling:: false,
  segment_length:: null,  // words of a segment for training; null: whole sentences
  segment_stride:: 1,  // words between the first words of two segments
  segment_start:: 'every_token',  // full_windows: only segments of shorter sentences are shorter

  word_vector_size:: 200,  // size of the vector of a word
  // A text file of fixed vectors of that size, for words in lower case; null: vectors are learned, as in the paper.
  word_vectors:: null,
  word_size:: self.word_vector_size + self.character_hidden_size,  // size of the vectors of a word and of its characters
  // AllenNLP's indexers for words.
  word_indexers:: {
    tokens: { type: 'single_id', [if has_vectors then 'lowercase_tokens']: true },
    token_characters: { type: 'cached_characters', min_padding_length: if has_filters then 3 else 1 },
  },
  // The embedders of these.
  word_embedders:: {
    tokens: { type: 'embedding', embedding_dim: config.word_vector_size } + if !has_vectors then {} else {
      type: 'fixed_embedding',
      pretrained_file: config.word_vectors,
    },
    token_characters: {
      type: 'distinct_characters',
      embedding: { embedding_dim: config.character_size, vocab_namespace: 'token_characters' },
      encoder: { type: config.character_encoder } + {
        summed_gru: {
          embedding_dim: config.character_size,
          hidden_size: config.character_hidden_size,
          output_dim: config.character_hidden_size,
          dropout: config.dropout,
        },
        gru: {
          input_size: config.character_size,
          hidden_size: config.character_hidden_size / 2,
          bidirectional: true,
        },
        cnn: {
          embedding_dim: config.character_size,
          num_filters: config.character_hidden_size,
          ngram_filter_sizes: [3],
        },
      }[config.character_encoder],
    },
  },
  word_min_count:: 2,  // not given in the paper; words that occur once are unknown
  label_size:: 150,  // size of the vector of a label
  character_size:: 30,  // size of the vector of a character
  character_encoder:: 'summed_gru',  // a GRU over characters; gru, its last states; or cnn, filters over three of them
  // Size of each direction of the GRU over characters and of the vector of a word's characters; how many filters there are.
  character_hidden_size:: 100,
  word_encoder:: 'bigru',  // or bilstm
  hidden_size:: 300,  // size of each direction of the words' GRU and of each decoder
  crf_hidden_size:: self.hidden_size,  // size of each direction of the words' GRU under a CRF
  dropout:: 0.5,  // probability of dropout
  embedding_initializer:: null,  // of words and characters; labels have N(0, 1), PyTorch's default

  // Whether tags that only development or test data has are known, but never learned; needs test_data_path.
  tags_of_all_parts:: false,
  sclite_weights:: false,  // in the alignment of the concept error rate
  // Data and training.
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  batch_size:: 100,  // sentences or segments in a batch
  epochs:: error 'epochs:: is missing',  // number of epochs
  optimizer:: error 'optimizer:: is missing',  // an object with a type and its options
  weight_decay:: 1e-4,  // the weight of the L2 term, which the backward decoder's loss lacks

  local config = self,
  local has_filters = config.character_encoder == 'cnn',
  local has_vectors = config.word_vectors != null,
  local spans = { coding_scheme: 'BIO' },
  local reader = {
    corpus: config.corpus,
    token_indexers: config.word_indexers,
  } + { slots: spans, ner: spans, pos: { tags_from: 'pos' } }[config.task],
  local sentences = reader { type: 'tagged_sentences' },
  local is_crf = config.variant == 'bigru_crf',
  local hidden_size = if is_crf then config.crf_hidden_size else config.hidden_size,
  local decoders(options) = {
    type: 'seq2biseq',
    head: {
      type: 'seq2biseq',
      label_embedding_dim: config.label_size,
      hidden_size: config.hidden_size,
      dropout: config.dropout,
      [if config.backward_weight != 0.5 then 'backward_weight']: config.backward_weight,
    } + options,
  },
  // The loss of the backward decoder has no L2 term.
  local regularised = config.optimizer { weight_decay: config.weight_decay },

  dataset_reader: if config.segment_length == null then sentences else reader {
    type: 'tagged_segments',
    length: config.segment_length,
    stride: config.segment_stride,
    start: config.segment_start,
  },
  validation_dataset_reader: sentences { [if config.tags_of_all_parts then 'count_words']: false },
  vocabulary: { min_count: { tokens: config.word_min_count } } + if !has_vectors then {} else {
    pretrained_files: { tokens: config.word_vectors },
    min_pretrained_embeddings: { tokens: -1 },  // all of them, for text that the model will read later
  },
  // The vocabulary comes from train alone, except for words with a vector.
  datasets_for_vocab_creation: ['train'] + (if config.tags_of_all_parts then ['validation', 'test'] else []),
  data_loader: {
    batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['tokens'] },
  },
  model: {
    text_field_embedder: { token_embedders: config.word_embedders },
    encoder: { type: config.word_encoder, input_size: config.word_size, hidden_size: hidden_size },
    dropout: config.dropout,
    [if config.embedding_initializer != null then 'initializer']: {
      regexes: [['embedder_tokens[.]weight|token_characters.*embedding.*weight', config.embedding_initializer]],
    },
  } + {
    seq2biseq: decoders({ lexical_information: false }),
    seq2biseq_le: decoders({}),
    forward_only: decoders({ forward_only: true }),
    // Like the decoders, the CRF may find a tag I-X after O.
    bigru_crf: { type: 'seq2biseq', head: { distribution: { type: 'crf', constrain_decoding: false } } },
  }[config.variant] + {
    slots: {
      head+: { concept_error_rate: true, [if config.sclite_weights then 'sclite_weights']: true },
    },
    ner: {},
    pos: {},
  }[config.task],
  trainer: {
    num_epochs: config.epochs,
    validation_metric: if config.task == 'ner' then '+f1' else '+accuracy',
    optimizer: if !config.two_optimizers then regularised else {
      type: 'per_loss',
      optimizers: { backward_loss: config.optimizer, loss: regularised },
    },
    learning_rate_scheduler: { type: 'linear_decay' },
    callbacks: ['reproducible', 'final_report'] + (
      if !config.two_optimizers then [] else if config.one_after_another then [
        { type: 'per_loss', one_after_another: true },
      ] else ['per_loss']
    ) + (if config.scheduled_sampling then ['scheduled_sampling'] else []),
  },
}
