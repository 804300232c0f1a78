// The tagger of ner.jsonnet as allennlp-models and AllenNLP have it: crf_tagger, their reader, vectors of words, a CNN over
// characters and a BiLSTM of the same sizes. Only words of the training data have GloVe's vectors.
local ner = import '../training_config/ner.jsonnet';

ner {
  dataset_reader: {
    type: 'conll2003',
    coding_scheme: 'BIOUL',
    token_indexers: {
      tokens: { type: 'single_id', lowercase_tokens: true },
      characters: { type: 'characters', min_padding_length: 3 },
    },
  },
  vocabulary: {},
  model: {
    type: 'crf_tagger',
    label_encoding: 'BIOUL',
    text_field_embedder: {
      token_embedders: {
        tokens: {
          type: 'embedding',
          embedding_dim: $.word_vector_size,
          pretrained_file: std.extVar('WORD_VECTORS'),
          trainable: false,
        },
        characters: ner.word_embedders.characters { type: 'character_encoding' },
      },
    },
    encoder: {
      type: 'lstm',
      input_size: $.word_vector_size + $.character_filters,
      hidden_size: $.hidden_size,
      bidirectional: true,
    },
    dropout: $.dropout,
  },
  trainer+: {
    validation_metric: '+f1-measure-overall',
    // Its loss is a sum over a batch.
    optimizer+: { lr: $.learning_rate / 10 },
    grad_norm: 50.0,
  },
}
