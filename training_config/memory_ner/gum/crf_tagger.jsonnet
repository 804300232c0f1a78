// GUM: the baseline with the classes of allennlp-models: crf_tagger with AllenNLP's LSTM.
local bilstm_crf = import 'bilstm_crf.jsonnet';

bilstm_crf {
  model: {
    type: 'crf_tagger',
    label_encoding: 'BIO',
    text_field_embedder: bilstm_crf.model.text_field_embedder,
    encoder: {
      type: 'lstm',
      input_size: bilstm_crf.input_size,
      hidden_size: bilstm_crf.hidden_size,
      bidirectional: true,
    },
    dropout: bilstm_crf.dropout,
  },
  trainer+: { validation_metric: '+f1-measure-overall' },
}
