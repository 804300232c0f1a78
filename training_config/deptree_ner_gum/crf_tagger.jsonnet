// GUM: the baseline of allennlp-models with the same word and character vectors and as large a BiLSTM as the full model's.
(import '../lib/gum.libsonnet') {
  features:: [],
  local text_field_embedder = super.model.text_field_embedder,
  local dropout = self.dropout,

  model: {
    type: 'crf_tagger',
    label_encoding: 'BIOUL',
    text_field_embedder: text_field_embedder,
    encoder: { type: 'lstm', input_size: 150, hidden_size: 112, bidirectional: true },
    dropout: dropout,
  },
  trainer+: { validation_metric: '+f1-measure-overall', optimizer+: { parameter_groups: null } },
}
