// The tagger of a configuration with the classes of allennlp-models and AllenNLP, crf_tagger and an LSTM in both
// directions, of the same sizes. Added behind the configuration.
{
  local reader = super.dataset_reader,
  local tagger = super.model,
  model: {
    type: 'crf_tagger',
    label_encoding: reader.coding_scheme,
    text_field_embedder: tagger.text_field_embedder,
    encoder: tagger.encoder { type: 'lstm', bidirectional: true },
    dropout: $.dropout,
  },
  trainer+: { validation_metric: '+f1-measure-overall' },
}
