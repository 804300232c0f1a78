// English Web Treebank: crf_tagger of allennlp-models with a concatenated character LSTM of the same size.
// Measured: not trained.
local config = (import '../free_data.libsonnet').ud_english_ewt;
local words = config.model.text_field_embedder.token_embedders.words;
local characters = words.character_encoder { encoder+: { type: 'lstm', bidirectional: true } };
local input_size = config.word_vector_size + 2 * config.character_hidden_size;
local read(indexer) = { type: 'zero_digits', indexer: indexer };

config {
  dataset_reader+: {
    token_indexers: {
      tokens: read({ type: 'single_id', lowercase_tokens: config.lowercase_words }),
      characters: read({ type: 'characters', min_padding_length: 1 }),
    },
  },
  model: {
    type: 'crf_tagger',
    text_field_embedder: { token_embedders: { tokens: words.word_embedding, characters: characters } },
    encoder: config.model.encoder { type: 'lstm', input_size: input_size, bidirectional: true },
    feedforward: config.model.head.feedforward { input_dim: config.model.encoder.hidden_size * 2 },
    dropout: config.dropout,
  },
}
