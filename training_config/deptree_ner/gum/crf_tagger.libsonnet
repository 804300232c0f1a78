// crf_tagger of allennlp-models with the full model's input, and with AllenNLP's own BiLSTM, which is as large as the
// full model's. Its loss is a sum over a batch; the other rows have the mean.
(import '../../lib/crf_tagger.libsonnet') {
  local bilstm = super.model.encoder.semantic[0],
  model+: { encoder: bilstm { type: 'lstm', bidirectional: true } },
  trainer+: {
    optimizer+: { parameter_groups: null, lr: $.learning_rate / $.batch_size },
    grad_norm: 5.0 * $.batch_size,
  },
}
