// A tagger that reads whole documents with a memory: names, dates, numbers and other names in English, for the zoo.
// DATA names the folder of Re-DocRED, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 80,000 most
// frequent words are kept, in 4 bits. A share of words is unknown in training, so that names are not learned by heart.
(import '../memory_ner/free_data.libsonnet').shared + (import '../lib/fixed_vectors.libsonnet')
+ (import '../lib/data.libsonnet').redocred {
  character_filters:: 50,
  ngram_sizes:: [2, 3, 4],
  hidden_size:: 200,
  dropout:: 0.5,
  documents_per_batch:: 4,
  epochs:: 30,
  patience:: null,
  word_embedders+:: { tokens+: { unknown_rate: 0.15, bits: 4 } },

  dataset_reader+: { coding_scheme: 'BIOUL' },
  vocabulary+: { min_pretrained_embeddings: { tokens: 80000 } },
  trainer+: {
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.9, 30 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
