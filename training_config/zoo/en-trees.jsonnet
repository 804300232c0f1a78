// The dependency-aware model with its parser, both trained on the English Web Treebank with Universal NER's persons,
// places and organizations: the zoo's tagger that reads trees, from raw text. DATA names the folder of the treebank,
// WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 25,000 most frequent words are kept, in 4 bits. A
// share of words is unknown in training, so that names are not learned by heart.
(import '../deptree_ner/gum/base.libsonnet') + (import '../lib/data.libsonnet').uner_ewt + {
  character_filters:: 20,
  ngram_sizes:: [2, 3, 4],
  dropout:: 0.5,
  batch_size:: 32,
  learning_rate:: 0.002,
  epochs:: 25,
  parser:: { treebank: 'train_data_path' },
  word_size+:: 6,
  word_indexers+:: { lexical_features: { type: 'lexical_features' } },
  word_embedders+:: {
    tokens+: { unknown_rate: 0.1, bits: 4 },
    lexical_features: { type: 'lexical_features' },
  },

  vocabulary+: { min_pretrained_embeddings: { tokens: 25000 } },
  trainer+: {
    optimizer: { type: 'fused_adam', lr: $.learning_rate, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 25 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
