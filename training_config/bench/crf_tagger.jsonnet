// Any corpus: the tagger of ner.jsonnet with the classes of allennlp-models and AllenNLP: crf_tagger, word vectors, a
// CNN over characters and a BiLSTM of the same sizes. Its loss is a sum over a batch.
local ner = import 'ner.jsonnet';

ner {
  lexical_features:: false,
  word_embedders+:: {
    tokens+: if $.has_vectors then { type: 'embedding', trainable: false } else {},
    characters+: { type: 'character_encoding' },
  },
  model: {
    type: 'crf_tagger',
    label_encoding: 'BIOUL',
    text_field_embedder: { token_embedders: $.word_embedders },
    encoder: { type: 'lstm', input_size: $.word_size, hidden_size: $.hidden_size, bidirectional: true },
    dropout: $.dropout,
  },
  trainer+: {
    validation_metric: '+f1-measure-overall',
    optimizer+: { lr: $.learning_rate / 10 },
    grad_norm: 50.0,
  },
}
