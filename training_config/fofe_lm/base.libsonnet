// The FOFE language model (Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications", 2017, chapter 4): the
// shared part of all its configurations. A configuration adds data, and changes the fields with :: at the top; the rest
// is computed from them.
{
  // Network.
  order:: 1,  // how many codes the input has: those of the whole history, and without its last 1, 2, ... words
  alpha:: 0.7,  // 0 makes an n-gram model, n = order + 1
  word_size:: 100,  // size of the vector of a word
  hidden_sizes:: [400, 400],  // of the layers behind the codes
  compression_size:: null,  // the size of a linear layer below the output
  // A recurrent network in place of the codes and layers: an object with a type and a hidden_size; null: none.
  recurrent:: null,
  head:: { type: 'softmax' },  // the output layer, an object with a type

  // Data.
  vocabulary_size:: 10000,  // the most frequent words, including </s> and <unk>; null for all
  min_count:: 1,  // words that occur less often are unknown
  words_per_batch:: 200,  // predicted words in a batch

  // Training.
  epochs:: 20,  // largest number of epochs
  learning_rate:: 0.128,  // learning rate of the first epoch
  momentum:: 0.9,  // momentum of gradient descent
  weight_decay:: 4e-4,  // the weight of the L2 term
  sparse:: false,  // gradients of embeddings; not possible with momentum or weight decay

  local config = self,
  local is_recurrent = self.recurrent != null,
  local layers = std.map(function(size) { size: size, activation: 'relu' }, self.hidden_sizes) + (
    if self.compression_size == null then [] else [{ size: config.compression_size, activation: 'linear' }]
  ),

  dataset_reader: { type: 'text_lines' },
  vocabulary: {
    oov_token: '<unk>',
    min_count: { tokens: config.min_count },
    [if config.vocabulary_size != null then 'max_vocab_size']: { tokens: config.vocabulary_size },
  },
  datasets_for_vocab_creation: ['train'],
  data_loader: {
    batch_sampler: { type: 'max_tokens_sampler', max_tokens: config.words_per_batch, sorting_keys: ['tokens'] },
  },
  model: {
    type: 'fofe_lm',
    text_field_embedder: {
      token_embedders: {
        tokens: { type: 'embedding', embedding_dim: config.word_size, sparse: config.sparse },
      },
    },
    encoder: { input_size: config.word_size } + (
      if is_recurrent then config.recurrent else { type: 'fofe_streams', alpha: config.alpha, order: config.order }
    ),
    [if !is_recurrent then 'feedforward']: {
      num_layers: std.length(layers),
      hidden_dims: [layer.size for layer in layers],
      activations: [layer.activation for layer in layers],
    },
    head: config.head,
    initializer: {
      regexes: [
        ['(text_field_embedder|encoder|feedforward|head).*weight', { type: 'xavier_uniform' }],
        ['(encoder|feedforward|head).*bias', { type: 'zero' }],
      ],
    },
  },
  trainer: {
    num_epochs: config.epochs,
    validation_metric: '-perplexity',
    optimizer: {
      type: 'sgd',
      lr: config.learning_rate,
      momentum: config.momentum,
      weight_decay: config.weight_decay,
    },
    learning_rate_scheduler: 'halve_after_plateau',
    callbacks: ['reproducible', 'final_report'],
  },
}
