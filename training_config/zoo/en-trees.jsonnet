// The dependency-aware model with its parser, both trained on the English Web Treebank with Universal NER's persons,
// places and organizations: the zoo's tagger that reads trees. DATA names the folder of the treebank, WORD_VECTORS a
// file of GloVe's vectors, of which 25,000 words are kept, in 4 bits. A share of words is unknown in training.
local shapes = { lexical_features: { type: 'lexical_features' } };

(import '../deptree_ner/gum/base.libsonnet') + (import '../lib/data.libsonnet').uner_ewt + {
  character_filters:: 20,
  ngram_sizes:: [2, 3, 4],
  dropout:: 0.5,
  batch_size:: 32,
  learning_rate:: 0.002,
  epochs:: 25,
  parser:: { treebank: 'train_data_path' },
  word_size+:: 6,
  word_indexers+:: shapes,
  word_embedders+:: shapes { tokens+: { unknown_rate: 0.1, bits: 4 } },

  vocabulary+: { min_pretrained_embeddings: { tokens: 25000 } },
  trainer+: {
    optimizer: { type: 'fused_adam', lr: $.learning_rate, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 25 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
