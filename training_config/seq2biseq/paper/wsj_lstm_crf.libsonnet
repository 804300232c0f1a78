// LSTM+CRF, which the paper cites from Ma and Hovy (2016): words of 100, a CNN of 30 filters of width 3 over characters
// of 30, an LSTM of 200 in each direction and a CRF, dropout 0.5. It is trained like the other rows on WSJ, with Adam
// in batches of 100 (the cited paper has SGD in batches of 10); dropout is after the CNN, not before it.
(import 'wsj.libsonnet') {
  variant:: 'bigru_crf',
  word_size:: 100,
  character_size:: 30,
  character_hidden_size:: 30,
  crf_hidden_size:: 200,

  local reader = { token_indexers+: { token_characters+: { min_padding_length: 3 } } },
  dataset_reader+: reader,
  validation_dataset_reader+: reader,
  model+: {
    text_field_embedder+: {
      token_embedders+: {
        token_characters+: {
          encoder: {
            type: 'cnn',
            embedding_dim: $.character_size,
            num_filters: $.character_hidden_size,
            ngram_filter_sizes: [3],
          },
        },
      },
    },
    encoder+: { type: 'bilstm' },
  },
}
