// A tagger of chemicals, diseases, anatomy, genes, species, cells and sequences in English biomedical text, for the zoo.
// Each of its five corpora annotates some of these types, and says nothing of the others. DATA names the folder of the
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 40,000 most frequent words are kept, in 4
// bits.
(import '../lib/tagger.libsonnet') + (import 'tagger.libsonnet')
+ (import '../lib/data.libsonnet').partial_mixture(import '../lib/biomedical.libsonnet') + {
  epochs:: 14,
  ngram_sizes:: [2, 3, 4],
  word_embedders+:: { tokens+: { unknown_rate: 0.1, bits: 4 } },
  vocabulary+: { min_pretrained_embeddings: { tokens: 40000 } },
}
