// An English tagger of persons, places and organizations in any text, for the zoo. DATA names the folder of the six
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 140,000 most frequent words are kept, in
// 4 bits. A share of words is unknown in training, so that the tagger goes by characters and context, too.
(import '../lib/tagger.libsonnet') + (import 'tagger.libsonnet')
+ (import '../lib/data.libsonnet').mixture(import '../lib/english_names.libsonnet') + {
  word_embedders+:: { tokens+: { unknown_rate: 0.1, bits: 4 } },
  vocabulary+: { min_pretrained_embeddings: { tokens: 140000 } },
}
