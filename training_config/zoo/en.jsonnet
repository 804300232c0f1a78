// An English tagger of persons, places and organizations in any text, for the zoo. DATA names the folder of the six
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 140,000 most frequent words are kept, in
// 4 bits.
(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') + (import '../lib/data.libsonnet').english_names + {
  unknown_rate:: 0.1,
  character_size:: 25,

  dataset_reader+: { corpus: $.corpus },
  word_embedders+:: { tokens+: { unknown_rate: $.unknown_rate, bits: 4 } },
  vocabulary+: { min_pretrained_embeddings: { tokens: 140000 } },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    num_epochs: 20,
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: 0.87 },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
