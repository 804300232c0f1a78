// Any corpus: the tagger of ner.jsonnet with the classes of allennlp-models and AllenNLP: crf_tagger, word vectors, a
// CNN over characters and a BiLSTM of the same sizes. Its loss is a sum over a batch.
(import '../ner.jsonnet') + (import 'base.libsonnet') + (import '../lib/crf_tagger.libsonnet') {
  full_epochs:: 50,
  word_vector_size:: $.vector_size,
  lexical_features:: false,
  word_embedders+:: {
    tokens+: if $.has_vectors then { type: 'embedding', trainable: false } else {},
    characters+: { type: 'character_encoding' },
  },
  trainer+: { optimizer+: { lr: $.learning_rate / 10 }, grad_norm: 50.0 },
}
