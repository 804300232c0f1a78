// GUM: crf_tagger of allennlp-models with the full model's input, features included, and AllenNLP's own BiLSTM, which is as
// large as the one of the full model. Its loss is a sum over a batch, where the others have the mean.
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
