// An English tagger of persons, places and organizations in any text, for the zoo. DATA names the folder of the six
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 80,000 most frequent words are kept, in
// 8 bits.
// Found, one seed: F1 76.5 on the development parts together (docs/results/zoo.md).
(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') + (import '../lib/data.libsonnet').english_names + {
  unknown_rate:: 0.1,
  character_size:: 25,
  ngram_sizes:: [2, 3, 4],
  word_size+:: self.character_filters * (std.length(self.ngram_sizes) - 1),

  dataset_reader+: { corpus: $.corpus },
  word_embedders+:: {
    tokens+: { unknown_rate: $.unknown_rate, bits: 8 },
    characters+: { encoder+: { ngram_filter_sizes: $.ngram_sizes } },
  },
  vocabulary+: { min_pretrained_embeddings: { tokens: 80000 } },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    num_epochs: 20,
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: 0.85 },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
