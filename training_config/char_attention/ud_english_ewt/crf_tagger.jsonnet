// English Web Treebank, the language-specific parts of speech: crf_tagger of allennlp-models as a peer, with a character
// LSTM of the same size, concatenated.
local config = import 'concat.jsonnet';
local words = config.model.text_field_embedder.token_embedders.words;

config {
  dataset_reader+: {
    token_indexers: { tokens: { type: 'single_id' }, characters: { type: 'characters', min_padding_length: 1 } },
  },
  model: {
    type: 'crf_tagger',
    text_field_embedder: {
      token_embedders: {
        tokens: words.word_embedding,
        characters: words.character_encoder { encoder+: { type: 'lstm', bidirectional: true } },
      },
    },
    encoder: config.model.encoder { type: 'lstm', bidirectional: true },
    feedforward: config.model.head.feedforward { input_dim: config.model.encoder.hidden_size * 2 },
    dropout: config.dropout,
  },
}
