// GUM: crf_tagger of allennlp-models with the full model's input, including features, and with AllenNLP's own BiLSTM,
// which is as large as the full model's. Its loss is a sum over a batch; the other rows have the mean.
local full = import 'base.libsonnet';

full {
  local text_field_embedder = super.model.text_field_embedder,
  local bilstm = super.model.encoder.semantic[0],

  model: {
    type: 'crf_tagger',
    label_encoding: 'BIOUL',
    text_field_embedder: text_field_embedder,
    encoder: bilstm { type: 'lstm', bidirectional: true },
    dropout: $.dropout,
  },
  trainer+: {
    validation_metric: '+f1-measure-overall',
    optimizer+: { parameter_groups: null, lr: $.learning_rate / $.batch_size },
    grad_norm: 5.0 * $.batch_size,
  },
}
