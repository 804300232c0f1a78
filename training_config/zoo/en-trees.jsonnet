// The dependency-aware model with its parser, both trained on the English Web Treebank with Universal NER's persons,
// places and organizations: the zoo's tagger that reads trees, from raw text. DATA names the folder of the treebank,
// WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 40,000 most frequent words are kept, in 8 bits.
(import '../deptree_ner/gum/base.libsonnet') + (import '../lib/data.libsonnet').uner_ewt + {
  epochs:: 20,
  parser:: { treebank: 'train_data_path' },
  word_embedders+:: { tokens+: { bits: 8 } },

  vocabulary+: { min_pretrained_embeddings: { tokens: 40000 } },
  trainer+: { learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 20 / $.epochs) } },
}
