// The zoo's tagger that reads trees, with its parser: both trained on UNER-EWT in the folder DATA, with 25,000 words of
// GloVe's file WORD_VECTORS, in 4 bits. It reads no parts of speech and no labels of arcs: what a parser finds misleads a
// model that has learned from true ones. For the same reason the development part has the parser's trees.
local shapes = { lexical_features: { type: 'lexical_features' } };
(import '../deptree_ner/free_data.libsonnet').gum + (import '../lib/data.libsonnet').uner_ewt + {
  character_filters:: 20,
  ngram_sizes:: [2, 3, 4],
  dropout:: 0.5,
  batch_size:: 32,
  learning_rate:: 0.002,
  epochs:: 25,
  parser:: { treebank: 'train_data_path' },
  features:: [],
  word_size+:: 6,
  word_indexers+:: shapes,
  word_embedders+:: shapes { tokens+: { unknown_rate: 0.1, bits: 4 } },
  validation_dataset_reader: $.dataset_reader { predicted_trees: true },
  vocabulary+: { min_pretrained_embeddings: { tokens: 25000 } },
  trainer+: {
    optimizer: { type: 'fused_adam', lr: $.learning_rate, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 25 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
