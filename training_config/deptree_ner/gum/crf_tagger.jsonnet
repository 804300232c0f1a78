// GUM: the baseline of allennlp-models with the same word and character vectors and AllenNLP's own BiLSTM, which is as
// large as the one of the full model.
// Expected: F1 29.8 ± 0.5 on test, three seeds.
local full = import 'base.libsonnet';

full {
  features:: [],
  local text_field_embedder = super.model.text_field_embedder,
  local bilstm = full.model.encoder.semantic[0],

  model: {
    type: 'crf_tagger',
    label_encoding: 'BIOUL',
    text_field_embedder: text_field_embedder,
    encoder: bilstm { type: 'lstm', bidirectional: true, input_size: $.word_size },
    dropout: $.dropout,
  },
  trainer+: { validation_metric: '+f1-measure-overall', optimizer+: { parameter_groups: null } },
}
