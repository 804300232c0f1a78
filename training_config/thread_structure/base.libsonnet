// Thread discourse structure (Liu, Baldwin and Cohn, EMNLP 2017, section 4): the shared part of all its configurations.
// A configuration adds data, and changes the fields with :: at the top; all sizes are computed from them.
{
  word_vector_size:: 20,  // size of the vector of a word
  word_size:: self.word_vector_size,  // size of the vector that word_embedders:: makes of a word
  word_indexers:: { tokens: { type: 'single_id', lowercase_tokens: true } },  // AllenNLP's indexers for words
  word_embedders:: { tokens: { type: 'embedding', embedding_dim: $.word_vector_size } },  // the embedders of these
  post_size:: 20,  // size of the vectors of titles and of texts
  hidden_size:: 50,  // size of the memory
  structure_size:: 50,  // W_s
  punctuation_size:: 100,  // W_p
  distribution:: 'crf',  // of dialogue acts: crf or softmax
  frozen_epochs:: 0,  // e, the number of first epochs in which the transitions of the CRF stay zero
  alpha:: 0.5,  // the weight of the loss of acts; that of links has 1 - alpha
  dropout:: 0.3,  // probability of dropout
  batch_size:: 32,  // threads in a batch
  epochs:: 50,  // number of epochs
  validation_metric:: null,  // the metric of the best epoch, which is kept; null: the last one is, as in the paper
  distance_bias:: false,  // whether link scores have an addend that is learned for each distance
  exclude_self:: false,  // whether the link loss leaves out the attention of posts to themselves
  learning_rate:: 1e-3,  // learning rate of the optimiser

  local config = self,
  local encoder = {
    type: 'projected_bigru',
    input_size: config.word_size,
    hidden_size: config.post_size,
    dropout: config.dropout,
  },

  dataset_reader: { type: 'reply_threads', token_indexers: config.word_indexers },
  // The vocabulary of words comes from train alone, but all acts are known, because some are rare.
  validation_dataset_reader: self.dataset_reader { count_words: false },
  data_loader: {
    batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['texts'] },
  },
  model: {
    type: 'thread_tagger',
    text_field_embedder: { token_embedders: config.word_embedders },
    title_encoder: encoder,
    text_encoder: encoder,
    memory: {
      type: 'memory_hop',
      input_size: 2 * config.post_size + config.structure_size + config.punctuation_size,
      hidden_size: config.hidden_size,
      shared_memory: true,
      null_memory: true,
      dropout: config.dropout,
    },
    structure_size: config.structure_size,
    punctuation_size: config.punctuation_size,
    distribution: config.distribution,
    alpha: config.alpha,
    exclude_self: config.exclude_self,
    [if config.distance_bias then 'distance_bias']: true,
  },
  trainer: {
    num_epochs: config.epochs,
    [if config.validation_metric != null then 'validation_metric']: config.validation_metric,
    optimizer: { type: 'fused_adam', lr: config.learning_rate },
    callbacks: ['reproducible', 'final_report'] + if config.frozen_epochs > 0 then [
      { type: 'frozen_transitions', epochs: config.frozen_epochs },
    ] else [],
  },
}
